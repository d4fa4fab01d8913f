package io.holdfast.contract;

import static io.holdfast.contract.Trial.FAILED;
import static io.holdfast.contract.Trial.LIMIT;
import static io.holdfast.contract.Trial.live;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rule E6 of {@code docs/contract.md}: contention for one key is no error, also not in the eyes of the server. */
public interface QuietLogContract {
    /** The engine under test, whose server nobody else has fail meanwhile. */
    QuietEngine engine();

    int OWNERS = 8;
    int ROUNDS = 20;

    @Test
    default void e6_theServersErrorsAreCounted() {
        long before = engine().serverErrors();
        engine().causeServerError();
        assertThat(engine().serverErrors()).isGreaterThan(before);
    }

    /** Also not when the losers of a first publish meet the slug's unique index before the app's. */
    @Test
    default void e6_contentionForOneAppIsNoErrorToTheServer() {
        long before = engine().serverErrors();
        for (int i = 0; i < Contenders.rounds(ROUNDS); i++) {
            Trial app = Trial.on(engine().subject());
            app.end(winner(app), FAILED);
            app.end(winner(app), live("a"));
            winner(app);
            engine().subject().letPass(LIMIT);
            app.end(winner(app), FAILED);
        }
        assertThat(engine().serverErrors()).isEqualTo(before);
    }

    /**
     * Who waited for a winner that has ended already must see in the row itself that its wish was that one's; the unique
     * indexes of attempts and request keys would be too late.
     */
    @Test
    default void e6_alsoWhenBuildsEndAtOnce() {
        long before = engine().serverErrors();
        for (int i = 0; i < Contenders.rounds(ROUNDS); i++) {
            Trial app = Trial.on(engine().subject());
            app.ended("first", FAILED);
            Wish shared = app.wish("shared").keyed("key");
            List<ClaimOutcome> outcomes = Contenders.race(OWNERS, owner -> {
                ClaimOutcome outcome = app.ask(
                        owner % 2 == 0 ? shared : app.wish("owner-" + owner).keyed("key"));
                if (outcome instanceof Claimed won) {
                    app.finish(won.claim(), FAILED);
                }
                return outcome;
            });
            assertThat(Trial.of(Claimed.class, outcomes)).isNotEmpty();
            assertThat(engine().subject().deployments().recent(app.app(), 10)).hasSize(2);
        }
        assertThat(engine().serverErrors()).isEqualTo(before);
    }

    /** New accounts, and ones that were sanctioned before. */
    @Test
    default void e6_contentionForOneAccountIsNoErrorToTheServer() {
        long before = engine().serverErrors();
        SanctionHammer.impose(engine().subject().sanctions(), OWNERS, Contenders.rounds(ROUNDS));
        SanctionHammer.liftAndImpose(engine().subject().sanctions(), OWNERS, Contenders.rounds(ROUNDS));
        assertThat(engine().serverErrors()).isEqualTo(before);
    }

    @Test
    default void e6_contentionForOneFamilyIsNoErrorToTheServer() {
        long before = engine().serverErrors();
        for (int i = 0; i < Contenders.rounds(ROUNDS); i++) {
            RefreshContract.assertOneRotation(Lineage.on(engine().subject()), 1, OWNERS);
            RefreshContract.assertNothingUsableAfterReuse(
                    Lineage.on(engine().subject()).rotated(1, 4));
        }
        assertThat(engine().serverErrors()).isEqualTo(before);
    }

    /** All with one request key: its unique index is not met either. */
    private static Claim winner(Trial app) {
        String key = "key-" + Trial.newSlug().value();
        List<ClaimOutcome> outcomes = Contenders.race(
                OWNERS,
                owner -> app.ask(owner % 2 == 0 ? app.wish("owner-" + owner).keyed(key) : app.wish("owner-" + owner)));
        List<Claimed> winners = Trial.of(Claimed.class, outcomes);
        assertThat(winners).as("winners among %s", outcomes).hasSize(1);
        return winners.get(0).claim();
    }
}
