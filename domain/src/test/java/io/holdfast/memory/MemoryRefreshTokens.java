package io.holdfast.memory;

import io.holdfast.contract.RefreshSubject;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotateOutcome.Refused;
import io.holdfast.refresh.RotateOutcome.Replayed;
import io.holdfast.refresh.RotateOutcome.Reused;
import io.holdfast.refresh.RotateOutcome.Rotated;
import io.holdfast.refresh.RotateOutcome.Why;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A store of refresh tokens in memory, and the model of what the rules mean: everything under one lock, which stands for the
 * one statement that decides. Thread-safe. Its clock is this machine's, moved by what was let pass.
 *
 * <p>Open for the stores that are wrong on purpose: what is protected is one decision each, and the operations lock inside,
 * so that a store may do without.
 */
public class MemoryRefreshTokens implements RefreshSubject, RefreshTokenStore {
    private final Map<FamilyId, Row> rows = new HashMap<>();
    private Duration passed = Duration.ZERO;

    /** One family. Times are microseconds since 1970. */
    protected static final class Row {
        public final FamilyId family;
        public FamilyTerms terms;
        public long generation = 1;

        /** The birth of the current generation, which is when the one before it was used. */
        public long born;

        /** The birth of the one before it, which is when the one before that was used. */
        public long bornBefore;

        public final long expiresAt;

        /** 0 while it is not. */
        public long revokedAt;

        Row(FamilyId family, FamilyTerms terms, long now) {
            this.family = family;
            this.terms = terms;
            this.born = now;
            this.bornBefore = now;
            this.expiresAt = now + micros(terms.familyValid());
        }

        @Override
        public String toString() {
            return "%s %s generation=%d born=%d bornBefore=%d expiresAt=%d revokedAt=%d"
                    .formatted(family, terms, generation, born, bornBefore, expiresAt, revokedAt);
        }
    }

    // Deciding.

    @Override
    public void open(FamilyId family, FamilyTerms terms) {
        synchronized (this) {
            Optional<Row> there = row(family);
            if (there.isPresent()) {
                openAgain(there.get(), terms);
            } else {
                rows.put(key(family), new Row(family, terms, now()));
            }
        }
    }

    protected void openAgain(Row row, FamilyTerms terms) {}

    @Override
    public RotateOutcome<Generation> rotate(Generation presented) {
        Generation successor = presented.next();
        synchronized (this) {
            Optional<Row> found = row(presented.family());
            if (found.isEmpty()) {
                return new Refused<>(Why.UNKNOWN);
            }
            Row row = found.get();
            return refused(row, presented.number())
                    .<RotateOutcome<Generation>>map(Refused::new)
                    .orElseGet(() -> answer(row, presented.number(), successor));
        }
    }

    /** Why it is good for nothing, whatever its place in the line; empty if that is to be seen. */
    protected Optional<Why> refused(Row row, long presented) {
        if (row.revokedAt > 0) {
            return Optional.of(Why.REVOKED);
        }
        if (isOver(row) || (presented == row.generation && isExpired(row))) {
            return Optional.of(Why.EXPIRED);
        }
        return Optional.empty();
    }

    protected RotateOutcome<Generation> answer(Row row, long presented, Generation successor) {
        if (presented > row.generation) {
            return ahead(row, successor);
        }
        if (presented == row.generation) {
            return rotated(row, successor);
        }
        if (presented == row.generation - 1 && isWithinGrace(row, row.born)) {
            return replayed(row, successor);
        }
        if (presented == row.generation - 2 && isWithinGrace(row, row.bornBefore)) {
            return overtaken(row, successor);
        }
        return reused(row);
    }

    protected RotateOutcome<Generation> rotated(Row row, Generation successor) {
        row.bornBefore = row.born;
        row.born = now();
        row.generation = successor.number();
        return new Rotated<>(successor);
    }

    protected RotateOutcome<Generation> ahead(Row row, Generation successor) {
        // When the one that was presented was born is lost; that the one before it was used just now is the best it can
        // be.
        row.born = now();
        return rotated(row, successor);
    }

    protected RotateOutcome<Generation> replayed(Row row, Generation successor) {
        return new Replayed<>(successor);
    }

    protected RotateOutcome<Generation> overtaken(Row row, Generation successor) {
        return new Refused<>(Why.OVERTAKEN);
    }

    protected RotateOutcome<Generation> reused(Row row) {
        end(row);
        return new Reused<>(row.family);
    }

    @Override
    public void revoke(FamilyId family) {
        synchronized (this) {
            row(family).filter(row -> row.revokedAt == 0).ifPresent(this::end);
        }
    }

    protected void end(Row row) {
        row.revokedAt = now();
    }

    @Override
    public int forget(Duration keep, int atMost) {
        long end = now() - micros(RefreshTokenStore.kept(keep, atMost));
        synchronized (this) {
            List<Row> over = rows.values().stream()
                    .filter(row -> isForgettable(row, end))
                    .sorted(Comparator.comparing(row -> row.expiresAt))
                    .limit(atMost)
                    .toList();
            over.forEach(row -> rows.remove(key(row.family)));
            return over.size();
        }
    }

    protected boolean isForgettable(Row row, long end) {
        return row.expiresAt <= end;
    }

    protected Optional<Row> row(FamilyId family) {
        return Optional.ofNullable(rows.get(key(family)));
    }

    /** As rows are found by. */
    protected FamilyId key(FamilyId family) {
        return family;
    }

    // Time.

    protected boolean isOver(Row row) {
        return row.expiresAt <= now();
    }

    /** The current generation. */
    protected boolean isExpired(Row row) {
        return row.born + micros(row.terms.tokenValid()) <= now();
    }

    protected boolean isWithinGrace(Row row, long usedAt) {
        return now() < usedAt + micros(row.terms.grace());
    }

    protected long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plus(passed));
    }

    private static long micros(Duration duration) {
        return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
    }

    // What befalls a store.

    @Override
    public RefreshTokenStore refreshTokens() {
        return this;
    }

    @Override
    public synchronized void letPass(Duration time) {
        passed = passed.plus(time);
    }

    @Override
    public synchronized void wipe() {
        rows.clear();
    }

    @Override
    public synchronized void deleteByHand(FamilyId family) {
        rows.remove(key(family));
    }

    @Override
    public synchronized String dump(FamilyId family) {
        return row(family).map(Row::toString).orElse("");
    }
}
