package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.SaveToken;
import io.holdfast.save.TokenDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * E4 of what is cleaned up: whatever a stranger has locked is stepped over, or not looked at. For engines that can step over a
 * locked row; MongoDB's protocol has no such command, and a batch waits there (docs/proof.md).
 */
public interface LockContract {
    Duration MINUTE = Duration.ofMinutes(1);

    Engine engine();

    @Test
    default void e4_aLockedFamilyKeepsNoOtherFromBeingForgotten() {
        EngineSubject store = engine().subject();
        store.wipe();
        List<FamilyId> families = Stream.generate(FamilyId::random).limit(3).toList();
        families.forEach(family -> store.refreshTokens().open(family, new FamilyTerms(MINUTE, MINUTE, MINUTE)));
        store.letPass(Duration.ofHours(1));
        Row locked = new Row(Row.Table.REFRESH, families.get(0).value().toString());
        try (Engine.Lock lock = engine().lock(locked)) {
            assertThat(lock).isNotNull();
            assertThat(engine().within(EngineContract.SHORT).refreshTokens().forget(Duration.ZERO, 1_000))
                    .isEqualTo(2);
        }
    }

    /** In tables of several sizes: a server reads small ones in other ways, and may wait for what it only reads for a DELETE. */
    @Test
    default void e4_aLockedTokenKeepsNoOtherFromBeingForgotten() {
        for (int tokens : List.of(1, 2, 3, 10)) {
            EngineSubject store = engine().subject();
            store.wipe();
            List<TokenDigest> expired = Stream.generate(() -> SaveToken.random().digest())
                    .limit(tokens)
                    .toList();
            expired.forEach(token -> store.saveTokens().issue(token, MINUTE, IfInDoubt.RUN_AGAIN));
            store.letPass(Duration.ofHours(1));
            try (Engine.Lock lock =
                    engine().lock(new Row(Row.Table.SAVE, expired.get(0).toString()))) {
                assertThat(lock).isNotNull();
                assertThat(engine().within(EngineContract.SHORT).saveTokens().forget(Duration.ZERO, 1_000))
                        .isEqualTo(tokens - 1);
            }
            assertThat(store.saveTokens().forget(Duration.ZERO, 1_000)).isEqualTo(1);
        }
    }

    /** What has run out is marked when the next one is imposed on the same account, and on no other. */
    @Test
    default void e4_aSanctionOfAnotherAccountIsNotWaitedFor() {
        List<Account> accounts = Stream.of("a", "b")
                .map(name -> Account.of(name + UUID.randomUUID()))
                .toList();
        accounts.forEach(account -> imposed(engine().subject().sanctions(), account));
        engine().subject().letPass(Duration.ofHours(1));
        try (Engine.Lock lock =
                engine().lock(new Row(Row.Table.SANCTION, accounts.get(0).value()))) {
            assertThat(lock).isNotNull();
            imposed(engine().within(EngineContract.SHORT).sanctions(), accounts.get(1));
        }
    }

    private static void imposed(SanctionStore sanctions, Account account) {
        Terms terms = new Terms(account, "spam", new Holder("operator"), Optional.of(MINUTE));
        assertThat(sanctions.impose(AttemptId.random(), terms)).isInstanceOf(ImposeOutcome.Imposed.class);
    }
}
