package io.holdfast.postgres;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Renewal;
import io.holdfast.Succession;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployments;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Claims, decided by one statement each. */
final class PostgresClaims implements ClaimStore {
    private final PostgresCalls work;
    private final PostgresCalls beats;
    private final PostgresStatements statements;

    PostgresClaims(PostgresCalls work, PostgresCalls beats, PostgresStatements statements) {
        this.work = work;
        this.beats = beats;
        this.statements = statements;
    }

    @Override
    public ClaimOutcome claim(ClaimRequest request) {
        return work.call(line -> {
            Optional<ClaimOutcome> taken = take(line, request);
            return taken.isPresent() ? taken : line.ask(statements.truth, rows -> truth(rows, request), asked(request));
        });
    }

    private Optional<ClaimOutcome> take(PostgresCalls.Line line, ClaimRequest request) throws SQLException {
        try {
            return line.ask(
                    statements.take,
                    rows -> rows.next() ? Optional.of(claimed(rows, request, "fence", "taken_over")) : Optional.empty(),
                    request.attempt().value(),
                    request.app().value(),
                    request.slug().value(),
                    request.holder().label(),
                    PostgresRows.micros(request.limit().value()),
                    requestKey(request));
        } catch (SQLException e) {
            if (PostgresErrors.isExhausted(e)) {
                throw ClaimStore.fenceExhausted(request.app());
            }
            throw e;
        }
    }

    private static @Nullable Object[] asked(ClaimRequest request) {
        return new @Nullable Object[] {
            request.attempt().value(), request.app().value(), request.slug().value(), requestKey(request)
        };
    }

    private static @Nullable String requestKey(ClaimRequest request) {
        return request.requestKey().map(RequestKey::value).orElse(null);
    }

    private static ClaimOutcome.Claimed claimed(ResultSet row, ClaimRequest request, String fence, String takenOver)
            throws SQLException {
        return new ClaimOutcome.Claimed(
                new Claim(request.app(), request.attempt(), new Fence(row.getLong(fence))),
                PostgresRows.duration(row, "remaining"),
                PostgresRows.attempt(row, takenOver));
    }

    /** Why it was not taken, in the order of C12; empty if what stood in the way is gone. */
    private static Optional<ClaimOutcome> truth(ResultSet row, ClaimRequest request) throws SQLException {
        row.next();
        if (row.getObject("remaining") != null) {
            return Optional.of(claimed(row, request, "re_fence", "re_taken_over"));
        }
        if (row.getObject("id") != null) {
            return known(row, request);
        }
        if (row.getObject("in_attempt") != null && !row.getBoolean("takeable")) {
            return Optional.of(new Refusal.InProgress(PostgresRows.holder(row)));
        }
        String fixed = row.getString("fixed");
        if (fixed != null) {
            return Optional.of(new Refusal.SlugFixed(Slug.of(fixed)));
        }
        if (row.getBoolean("slug_taken")) {
            return Optional.of(new Refusal.SlugTaken(request.slug()));
        }
        return Optional.empty();
    }

    /** This attempt, or this request key, has had its deployment. */
    private static Optional<ClaimOutcome> known(ResultSet row, ClaimRequest request) throws SQLException {
        boolean mine = row.getBoolean("mine");
        if (mine && !row.getString("app").equals(request.app().value())) {
            throw ClaimStore.ofAnotherApp(request.attempt());
        }
        Deployment deployment = PostgresRows.deployment(row);
        if (PostgresRows.incumbent(row)
                .filter(by -> by.attempt().equals(request.attempt()))
                .isPresent()) {
            // It holds the app by the snapshot, and yet was not renewed: it was ended or taken over in this very
            // moment.
            return Optional.empty();
        }
        return Optional.of(
                mine || deployment.slug().equals(request.slug())
                        ? new Refusal.AlreadyRun(deployment)
                        : new Refusal.OtherRequest(deployment));
    }

    @Override
    public Map<Claim, Renewal> renew(Collection<Claim> holds) {
        List<Claim> claims = List.copyOf(holds);
        if (claims.isEmpty()) {
            return Map.of();
        }
        return beats.ask(
                statements.renew,
                PostgresClaims::renewals,
                claims.stream().map(claim -> claim.app().value()).toArray(String[]::new),
                claims.stream().map(claim -> claim.attempt().value()).toArray(UUID[]::new),
                claims.stream().map(claim -> claim.fence().value()).toArray(Long[]::new));
    }

    private static Map<Claim, Renewal> renewals(ResultSet rows) throws SQLException {
        Map<Claim, Renewal> renewals = new HashMap<>();
        while (rows.next()) {
            Claim claim = claim(rows);
            Optional<Renewal> renewal = PostgresRows.renewal(rows, claim);
            renewal.ifPresent(said -> renewals.put(claim, said));
        }
        return renewals;
    }

    @Override
    public FinishOutcome finish(Claim claim, Ending ending) {
        Object[] hold = {
            claim.app().value(), claim.attempt().value(), claim.fence().value()
        };
        return work.call(line -> {
            boolean ended = line.ask(
                    statements.finish,
                    ResultSet::next,
                    hold[0],
                    hold[1],
                    hold[2],
                    PostgresRows.state(ending),
                    PostgresRows.detail(ending));
            return Optional.of(
                    ended
                            ? new FinishOutcome.Ended(ending)
                            : line.ask(statements.ending, PostgresClaims::endedOrLost, hold));
        });
    }

    private static FinishOutcome endedOrLost(ResultSet row) throws SQLException {
        row.next();
        Optional<Ending> ending = PostgresRows.ending(row);
        return ending.isPresent()
                ? new FinishOutcome.Ended(ending.get())
                : new FinishOutcome.Lost(PostgresRows.incumbent(row));
    }

    @Override
    public Eviction evict(AppId app, Fence seen, Succession succession) {
        return work.call(line -> {
            Optional<Eviction> evicted = takeAway(line, app, seen, succession);
            return evicted.isPresent()
                    ? evicted
                    : line.ask(statements.holder, rows -> PostgresRows.moved(rows, seen), app.value());
        });
    }

    private Optional<Eviction> takeAway(PostgresCalls.Line line, AppId app, Fence seen, Succession succession)
            throws SQLException {
        try {
            return line.ask(
                    statements.evict,
                    rows -> rows.next() ? Optional.of(PostgresRows.evicted(rows)) : Optional.empty(),
                    app.value(),
                    seen.value(),
                    succession == Succession.AT_ONCE);
        } catch (SQLException e) {
            if (PostgresErrors.isExhausted(e)) {
                throw ClaimStore.fenceExhausted(app);
            }
            throw e;
        }
    }

    @Override
    public List<Claim> endSilent(int atMost, Duration inContact) {
        return work.ask(
                statements.endSilent,
                PostgresClaims::claims,
                PostgresRows.micros(ClaimStore.longestLimit(inContact)),
                (long) Deployments.atLeastOne(atMost));
    }

    private static List<Claim> claims(ResultSet rows) throws SQLException {
        List<Claim> claims = new ArrayList<>();
        while (rows.next()) {
            claims.add(claim(rows));
        }
        return List.copyOf(claims);
    }

    private static Claim claim(ResultSet row) throws SQLException {
        return new Claim(
                AppId.of(row.getString("app")),
                new AttemptId(row.getObject("attempt", UUID.class)),
                new Fence(row.getLong("fence")));
    }
}
