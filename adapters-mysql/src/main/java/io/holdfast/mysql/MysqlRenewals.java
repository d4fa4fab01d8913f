package io.holdfast.mysql;

import io.holdfast.Hold;
import io.holdfast.Renewal;
import io.holdfast.mysql.MysqlCalls.Line;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Renews holds of any kind, many at once: those that are not locked, and again those that were (G14). Thread-safe. */
final class MysqlRenewals<H extends Hold> {
    /** How often a renewal comes back for rows that were locked: a loser locks the row for the moment of its statement. */
    private static final int SECOND_LOOKS = 3;

    private final MysqlCalls beats;
    private final String renew;
    private final String renewed;
    private final Function<? super H, byte[]> key;

    /**
     * @param renew as {@link MysqlStatements#renew}
     * @param renewed as {@link MysqlStatements#renewed}
     * @param key by which the row of a hold is found
     */
    MysqlRenewals(MysqlCalls beats, String renew, String renewed, Function<? super H, byte[]> key) {
        this.beats = beats;
        this.renew = renew;
        this.renewed = renewed;
        this.key = key;
    }

    Map<H, Renewal> renew(Collection<H> holds) {
        List<H> wanted = new ArrayList<>(new LinkedHashSet<>(holds));
        return wanted.isEmpty() ? Map.of() : beats.call(line -> Optional.of(renewAll(line, wanted)));
    }

    /** One, as a part of another call; empty if it had no word. */
    Optional<Renewal> renew(Line line, H hold) throws SQLException {
        return Optional.ofNullable(renew(line, List.of(hold)).get(hold));
    }

    private Map<H, Renewal> renewAll(Line line, List<H> wanted) throws SQLException {
        Map<H, Renewal> words = new HashMap<>();
        List<H> left = wanted;
        for (int look = 0; !left.isEmpty() && (look == 0 || line.pause()) && look <= SECOND_LOOKS; look++) {
            for (int from = 0; from < left.size(); from += MysqlStatements.BATCH) {
                words.putAll(renew(line, left.subList(from, Math.min(left.size(), from + MysqlStatements.BATCH))));
            }
            left = left.stream().filter(hold -> !words.containsKey(hold)).toList();
        }
        return words;
    }

    private Map<H, Renewal> renew(Line line, List<H> batch) throws SQLException {
        String holds = MysqlRows.json(batch, key);
        line.change(renew, holds);
        // Also of a hold that was lost the row was locked, and it is the winner's now (G2).
        line.commit();
        return line.ask(renewed, rows -> words(batch, rows), holds);
    }

    private Map<H, Renewal> words(List<H> batch, ResultSet rows) throws SQLException {
        Map<H, Renewal> words = new HashMap<>();
        for (H hold : batch) {
            rows.next();
            if (!rows.getBoolean("mine")) {
                words.put(hold, new Renewal.Lost(MysqlRows.incumbent(rows)));
            } else if (rows.getBoolean("heard")) {
                words.put(hold, new Renewal.Held(MysqlRows.remaining(rows)));
            }
            // Else it is this hold's, and has shown no sign of life since the call began: it was locked, and had no
            // word.
        }
        return words;
    }
}
