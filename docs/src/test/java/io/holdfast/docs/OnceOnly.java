package io.holdfast.docs;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Fence;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.NotDone;
import io.holdfast.Pulse;
import io.holdfast.SilenceLimit;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.UnderLease;
import io.holdfast.postgres.PostgresStores;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.RotatingRefreshTokens;
import io.holdfast.refresh.TokenKeys;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.Sanctioning;
import io.holdfast.sanction.Terms;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.Saving;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** What else a service does once, on the database that it has already. */
final class OnceOnly implements AutoCloseable {
    private final Heartbeats heartbeats = Heartbeats.everyHalfMinute();
    private final Map<String, Long> fences = new ConcurrentHashMap<>();
    private final UnderLease jobs;
    private final Saving saving;
    private final RotatingRefreshTokens logins;
    private final Sanctioning sanctions;

    // tag::wiring
    OnceOnly(DataSource work, DataSource beats, byte[] tokenKey) {
        PostgresStores stores = PostgresStores.of(work).heartbeatsOn(beats);
        Holder me = new Holder("api-1");
        jobs = new UnderLease(stores.leases(), heartbeats, me, SilenceLimit.of(Duration.ofMinutes(2)), Budget.DEFAULT);
        saving = new Saving(stores.saveTokens(), heartbeats, me);
        logins = new RotatingRefreshTokens(stores.refreshTokens(), TokenKeys.of(tokenKey));
        sanctions = new Sanctioning(stores.sanctions());
    }
    // end::wiring

    // tag::lease
    String importPrices(List<String> pages) {
        return jobs.run(LeaseName.of("import-prices"), Duration.ofMinutes(5), (lease, pulse) -> {
                    int done = 0;
                    for (String page : pages) {
                        if (pulse.view() != Pulse.View.HELD) {
                            break; // perhaps somebody else is at it by now: start nothing new
                        }
                        write(page, lease.fence());
                        done++;
                    }
                    return done;
                })
                .fold(
                        ran -> ran.result() + " pages",
                        refused -> "left to " + refused.by().holder().label());
    }
    // end::lease

    // tag::save
    String open() {
        return saving.issue(Duration.ofHours(8), IfInDoubt.REFUSE).reveal(); // into the form, and into no log
    }

    String save(String token, byte[] content) throws NotDone {
        return saving.save(SaveToken.parse(token), Fingerprint.of(content), (reservation, takenOverFrom, pulse) -> {
                    write(reservation.idempotencyKey(), reservation.fence());
                    return SaveResult.of("version 1".getBytes(StandardCharsets.UTF_8));
                })
                .fold(
                        saved -> "200 " + text(saved.result()),
                        lost -> "409 somebody else has taken it over, ask again for the result",
                        unknown -> "404 no such token",
                        other -> "422 this token was used for something else",
                        before -> "200 replayed: " + text(before.result()),
                        busy -> "409 " + busy.by().holder().label() + " is saving, ask again",
                        doubt -> "409 " + doubt.by().holder().label() + " fell silent, an operator has to look",
                        expired -> "410 open the form again");
    }
    // end::save

    // tag::refresh
    String login() {
        FamilyTerms terms = new FamilyTerms(Duration.ofDays(90), Duration.ofDays(30), Duration.ofSeconds(10));
        return logins.open(terms).text();
    }

    String refresh(String token) {
        return logins.rotate(token)
                .fold(
                        rotated -> rotated.successor().text(),
                        replayed -> replayed.successor().text(), // the other tab's, or the one whose reply was lost
                        reused -> "400 invalid_grant", // and somebody should look: the family is revoked
                        refused -> "400 invalid_grant");
    }
    // end::refresh

    // tag::sanction
    String ban(String account, String reason, String operator) {
        Terms terms = new Terms(Account.of(account), reason, new Holder(operator), Optional.of(Duration.ofDays(7)));
        return sanctions
                .impose(terms)
                .fold(
                        imposed -> "201 " + imposed.sanction().id(),
                        another -> "409 " + seen(another.active()),
                        over -> "409 it was lifted already");
    }

    String lift(String account, String seen, String operator) {
        return sanctions
                .lift(Account.of(account), AttemptId.parse(seen), new Holder(operator))
                .fold(
                        over -> "200 lifted",
                        missed -> missed.active()
                                .map(another -> "409 " + seen(another))
                                .orElse("404 there is none"));
    }
    // end::sanction

    private static String seen(Sanction sanction) {
        return sanction.terms().by().label() + " was first: " + sanction.terms().reason();
    }

    private static String text(SaveResult result) {
        return new String(result.bytes(), StandardCharsets.UTF_8);
    }

    // tag::fence
    private void write(String resource, Fence fence) {
        long newest = fences.merge(resource, fence.value(), Math::max);
        if (newest > fence.value()) {
            throw new IllegalStateException("refused: whoever writes was taken over");
        }
    }
    // end::fence

    @Override
    public void close() {
        heartbeats.close();
    }
}
