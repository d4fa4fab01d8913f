package io.holdfast.save;

import static io.holdfast.StoreUnavailable.Effect.NOT_APPLIED;
import static io.holdfast.StoreUnavailable.Effect.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Fence;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.NotDone;
import io.holdfast.Pulse;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.contract.Contenders;
import io.holdfast.memory.MemorySaveTokens;
import io.holdfast.save.Refusal.Completed;
import io.holdfast.save.Refusal.InDoubt;
import io.holdfast.save.Refusal.InProgress;
import io.holdfast.save.ReserveOutcome.Over;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.SaveOutcome.Saved;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The use case on the in-memory store, which is held to the same contract as the real ones. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SavingTest {
    private static final SilenceLimit LIMIT = SilenceLimit.of(Duration.ofMinutes(5));
    private static final Duration VALID = Duration.ofDays(1);
    private static final Fingerprint PAYLOAD = Fingerprint.of(bytes("chapter 7"));
    private static final SaveResult RESULT = SaveResult.of(bytes("it is at version 8"));

    private final MemorySaveTokens store = new MemorySaveTokens();
    private final Heartbeats heartbeats = Heartbeats.every(Duration.ofMillis(5), Duration.ZERO);

    /** Beats so seldom that whoever it should keep alive is surely silent. */
    private final Heartbeats frozen = Heartbeats.every(Duration.ofMinutes(1), Duration.ZERO);

    private final AtomicInteger writes = new AtomicInteger();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A store whose reservations are answered as the test says, after the real one was asked; and that may be away. */
    private class Faulty implements SaveTokenStore {
        final List<UnaryOperator<ReserveOutcome>> answers = new ArrayList<>();
        final List<AttemptId> attempts = new ArrayList<>();
        final CountDownLatch ended = new CountDownLatch(1);
        volatile boolean away;

        @Override
        public void issue(TokenDigest token, Duration validFor, IfInDoubt ifInDoubt) {
            store.issue(token, validFor, ifInDoubt);
        }

        @Override
        public ReserveOutcome reserve(ReserveRequest request) {
            attempts.add(request.attempt());
            ReserveOutcome answer = store.reserve(request);
            return answers.isEmpty() ? answer : answers.remove(0).apply(answer);
        }

        @Override
        public EndOutcome end(Reservation reservation, Ending ending) {
            refuseIfAway();
            EndOutcome said = store.end(reservation, ending);
            ended.countDown();
            return said;
        }

        @Override
        public Map<Reservation, Renewal> renew(Collection<Reservation> holds) {
            refuseIfAway();
            return store.renew(holds);
        }

        @Override
        public EndOutcome settle(TokenDigest token, Fence seen, Ending ending) {
            return store.settle(token, seen, ending);
        }

        @Override
        public int forget(Duration keep, int atMost) {
            return store.forget(keep, atMost);
        }

        private void refuseIfAway() {
            if (away) {
                throw new StoreUnavailable(UNKNOWN, "away", new Exception());
            }
        }
    }

    private static UnaryOperator<ReserveOutcome> fails(StoreUnavailable.Effect effect) {
        return answer -> {
            throw new StoreUnavailable(effect, "no reply", new Exception());
        };
    }

    @AfterEach
    void close() {
        heartbeats.close();
        frozen.close();
    }

    private Saving saving() {
        return saving(store, heartbeats, Duration.ofMinutes(1));
    }

    private Saving saving(SaveTokenStore tokens, Heartbeats beats, Duration budget) {
        return new Saving(tokens, beats, new Holder("a node"), LIMIT, Budget.of(budget));
    }

    private SaveToken issued(IfInDoubt ifInDoubt) {
        return saving().issue(VALID, ifInDoubt);
    }

    private SaveToken issued() {
        return issued(IfInDoubt.RUN_AGAIN);
    }

    private SaveResult write(Reservation mine, Optional<AttemptId> takenOverFrom, Pulse pulse) {
        assertThat(pulse.view()).isEqualTo(Pulse.View.HELD);
        assertThat(takenOverFrom).isEmpty();
        writes.incrementAndGet();
        return RESULT;
    }

    private SaveOutcome save(Saving saving, SaveToken token) throws NotDone {
        return saving.save(token, PAYLOAD, this::write);
    }

    private Incumbent told(SaveToken token) throws NotDone {
        SaveOutcome outcome = save(saving(), token);
        assertThat(outcome).isInstanceOfAny(InProgress.class, InDoubt.class);
        return outcome instanceof InProgress progress ? progress.by() : ((InDoubt) outcome).by();
    }

    @Test
    void oneWritesAndWhoComesMeanwhileIsToldToWaitAndWhoComesLaterGetsTheResult() throws Exception {
        SaveToken token = issued();
        CountDownLatch refused = new CountDownLatch(7);
        List<SaveOutcome> all = Contenders.race(Collections.nCopies(8, () -> {
            SaveOutcome outcome = saving().save(token, PAYLOAD, (mine, before, pulse) -> {
                refused.await();
                return write(mine, before, pulse);
            });
            refused.countDown();
            return outcome;
        }));
        assertThat(all).filteredOn(Saved.class::isInstance).containsExactly(new Saved(RESULT));
        assertThat(all).filteredOn(InProgress.class::isInstance).hasSize(7);
        assertThat(save(saving(), token)).isEqualTo(new Completed(RESULT));
        assertThat(writes).hasValue(1);
    }

    @Test
    void whyNothingIsWrittenIsToldAsTheStoreTellsIt() throws Exception {
        assertThat(save(saving(), SaveToken.random())).isEqualTo(new Refusal.Unknown());
        SaveToken token = issued();
        save(saving(), token);
        assertThat(saving().save(token, Fingerprint.of(bytes("chapter 8")), this::write))
                .isEqualTo(new Refusal.OtherPayload());
        SaveToken late = issued();
        store.letPass(VALID);
        assertThat(save(saving(), late)).isEqualTo(new Refusal.Expired());
        assertThat(writes).hasValue(1);
    }

    @Test
    void theWriterGetsTheSameKeyAtEachTryWithTheTokenAndAHigherFence() throws Exception {
        SaveToken token = issued();
        List<Reservation> tries = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> saving().save(token, PAYLOAD, (mine, before, pulse) -> {
                        tries.add(mine);
                        throw new NotDone("the disk is read-only");
                    }))
                    .isInstanceOf(NotDone.class);
        }
        assertThat(tries.get(1).idempotencyKey()).isEqualTo(tries.get(0).idempotencyKey());
        assertThat(tries.get(1).fence()).isGreaterThan(tries.get(0).fence());
        saving().save(issued(), PAYLOAD, (mine, before, pulse) -> {
            assertThat(mine.idempotencyKey()).isNotEqualTo(tries.get(0).idempotencyKey());
            return RESULT;
        });
    }

    @Test
    void whatWasSurelyNotWrittenGivesTheTokenBackForAnyPayload() throws Exception {
        SaveToken token = issued(IfInDoubt.REFUSE);
        NotDone thrown = new NotDone("the disk is full");
        assertThatThrownBy(() -> saving().save(token, PAYLOAD, (mine, before, pulse) -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
        assertThat(saving().save(token, Fingerprint.of(bytes("chapter 8")), this::write))
                .isEqualTo(new Saved(RESULT));
    }

    @Test
    void itIsGivenBackAsSoonAsTheStoreIsBack() throws Exception {
        Faulty faulty = new Faulty();
        SaveToken token = issued(IfInDoubt.REFUSE);
        NotDone thrown = new NotDone("the disk is full");
        assertThatThrownBy(() -> saving(faulty, heartbeats, Duration.ofMinutes(1))
                        .save(token, PAYLOAD, (mine, before, pulse) -> {
                            faulty.away = true;
                            throw thrown;
                        }))
                .isSameAs(thrown)
                .hasNoSuppressedExceptions();
        told(token);
        faulty.away = false;
        faulty.ended.await();
        assertThat(save(saving(), token)).isEqualTo(new Saved(RESULT));
    }

    @Test
    void whateverElseTheWriterThrowsIsThrownAsItIsAndLeavesTheTokenToItsPolicy() throws Exception {
        for (Throwable thrown : List.of(
                new IOException("connection reset"),
                new IllegalStateException("bug"),
                new StoreUnavailable(NOT_APPLIED, "the writer's own store", new Exception()),
                new AssertionError("worse"))) {
            SaveToken again = issued(IfInDoubt.RUN_AGAIN);
            SaveToken never = issued(IfInDoubt.REFUSE);
            List<AttemptId> doubtful = new ArrayList<>();
            for (SaveToken token : List.of(again, never)) {
                assertThatThrownBy(() -> saving().save(token, PAYLOAD, (mine, before, pulse) -> {
                            doubtful.add(mine.attempt());
                            return throwing(thrown);
                        }))
                        .isSameAs(thrown)
                        .hasNoSuppressedExceptions();
                assertThat(save(saving(), token)).isInstanceOf(InProgress.class);
            }
            store.letPass(LIMIT.value());
            assertThat(save(saving(), never)).isInstanceOf(InDoubt.class);
            assertThat(told(never).attempt()).isEqualTo(doubtful.get(1));
            assertThat(saving().save(again, PAYLOAD, (mine, before, pulse) -> {
                        assertThat(before).contains(doubtful.get(0));
                        return RESULT;
                    }))
                    .isEqualTo(new Saved(RESULT));
        }
        assertThat(writes).hasValue(0);
    }

    private static SaveResult throwing(Throwable thrown) throws Exception {
        if (thrown instanceof Exception e) {
            throw e;
        }
        throw (Error) thrown;
    }

    @Test
    @SuppressWarnings("NullAway") // what the compiler forbids, a writer in another language may do
    void aWriterWithoutAResultLeavesADoubt() throws Exception {
        SaveToken token = issued(IfInDoubt.REFUSE);
        assertThatThrownBy(() -> saving().save(token, PAYLOAD, (mine, before, pulse) -> null))
                .isInstanceOf(NullPointerException.class);
        store.letPass(LIMIT.value());
        assertThat(save(saving(), token)).isInstanceOf(InDoubt.class);
    }

    @Test
    void aSlowWriterKeepsItsToken() throws Exception {
        SaveToken token = issued();
        assertThat(saving().save(token, PAYLOAD, (mine, before, pulse) -> {
                    for (int i = 0; i < 3; i++) {
                        store.letPass(LIMIT.value().minusSeconds(60));
                        // Its next beat: the holder's last sign of life is later than the time that was let pass.
                        while (told(token).silentFor().compareTo(Duration.ofSeconds(60)) > 0) {
                            Thread.onSpinWait();
                        }
                    }
                    return write(mine, before, pulse);
                }))
                .isEqualTo(new Saved(RESULT));
        assertThat(writes).hasValue(1);
    }

    @Test
    void whoWasTakenOverWhileItWroteIsToldToWhomAndTheSuccessorsResultStands() throws Exception {
        SaveToken token = issued();
        SaveResult late = SaveResult.of(bytes("too late"));
        Reservation[] successor = new Reservation[1];
        SaveOutcome outcome = saving(store, frozen, Duration.ofMinutes(1))
                .save(token, PAYLOAD, (mine, before, pulse) -> {
                    store.letPass(LIMIT.value());
                    successor[0] = ((Reserved) store.reserve(new ReserveRequest(
                                    token.digest(), AttemptId.random(), PAYLOAD, new Holder("two"), LIMIT)))
                            .reservation();
                    return late;
                });
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        SaveTokenStore.Lost.class,
                        lost -> assertThat(lost.to())
                                .hasValueSatisfying(
                                        by -> assertThat(by.attempt()).isEqualTo(successor[0].attempt())));
        store.end(successor[0], RESULT);
        assertThat(save(saving(), token)).isEqualTo(new Completed(RESULT));
    }

    @Test
    void whatAnOperatorHasSaidStands() throws Exception {
        SaveResult seen = SaveResult.of(bytes("I have seen it"));
        for (Ending word : List.of(seen, new Ending.NotSaved())) {
            SaveToken token = issued(IfInDoubt.REFUSE);
            SaveOutcome outcome = saving(store, frozen, Duration.ofMinutes(1))
                    .save(token, PAYLOAD, (mine, before, pulse) -> {
                        store.letPass(LIMIT.value());
                        assertThat(store.settle(token.digest(), mine.fence(), word))
                                .isEqualTo(word);
                        return RESULT;
                    });
            assertThat(outcome)
                    .isEqualTo(
                            word.<SaveOutcome>fold(Saved::new, notSaved -> new SaveTokenStore.Lost(Optional.empty())));
        }
    }

    /** It was written: as long as the store cannot be told, nobody else may, and then everybody gets the result. */
    @Test
    void whatWasWrittenIsKnownAsSoonAsTheStoreIsBack() throws Exception {
        Faulty faulty = new Faulty();
        SaveToken token = issued();
        StoreUnavailable thrown = catchThrowableOfType(
                StoreUnavailable.class,
                () -> saving(faulty, heartbeats, Duration.ofMillis(20)).save(token, PAYLOAD, (mine, before, pulse) -> {
                    faulty.away = true;
                    return write(mine, before, pulse);
                }));
        assertThat(thrown.effect()).isEqualTo(UNKNOWN);
        assertThat(thrown).hasMessageContaining("it was written").hasMessageContaining("ask again with the same token");
        assertThat(save(saving(), token)).isInstanceOf(InProgress.class);
        faulty.away = false;
        faulty.ended.await();
        assertThat(save(saving(), token)).isEqualTo(new Completed(RESULT));
        assertThat(writes).hasValue(1);
    }

    @Test
    void anInterruptWhileItWaitsForTheStoreKeepsItsFlag() throws Exception {
        Faulty faulty = new Faulty();
        SaveToken token = issued();
        StoreUnavailable thrown = catchThrowableOfType(
                StoreUnavailable.class,
                () -> saving(faulty, heartbeats, Duration.ofMinutes(1)).save(token, PAYLOAD, (mine, before, pulse) -> {
                    faulty.away = true;
                    Thread.currentThread().interrupt();
                    return RESULT;
                }));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown.effect()).isEqualTo(UNKNOWN);
        faulty.away = false;
        faulty.ended.await();
        assertThat(save(saving(), token)).isEqualTo(new Completed(RESULT));
    }

    @Test
    void k15_aReservationWhoseReplyWasLostIsRepeatedWithTheSameAttempt() throws Exception {
        Faulty faulty = new Faulty();
        faulty.answers.add(fails(UNKNOWN));
        faulty.answers.add(fails(UNKNOWN));
        assertThat(save(saving(faulty, heartbeats, Duration.ofMinutes(1)), issued()))
                .isEqualTo(new Saved(RESULT));
        assertThat(faulty.attempts).hasSize(3);
        assertThat(List.copyOf(faulty.attempts).stream().distinct()).hasSize(1);
        assertThat(writes).hasValue(1);
    }

    @Test
    void whoeverWasSettledBeforeItKnewOfItsTakeAsksAnew() throws Exception {
        Faulty faulty = new Faulty();
        faulty.answers.add(answer -> {
            Reservation won = ((Reserved) answer).reservation();
            store.letPass(LIMIT.value());
            store.settle(won.token(), won.fence(), new Ending.NotSaved());
            return fails(UNKNOWN).apply(answer);
        });
        assertThat(save(saving(faulty, heartbeats, Duration.ofMinutes(1)), issued()))
                .isEqualTo(new Saved(RESULT));
        assertThat(faulty.attempts).hasSize(3);
        assertThat(faulty.attempts.get(1)).isEqualTo(faulty.attempts.get(0));
        assertThat(faulty.attempts.get(2)).isNotEqualTo(faulty.attempts.get(0));
        assertThat(writes).hasValue(1);
    }

    @Test
    void whoeverIsSettledAgainAndAgainGivesUpWithItsBudget() {
        Faulty faulty = new Faulty();
        for (int i = 0; i < 1_000; i++) {
            faulty.answers.add(answer -> new Over());
        }
        StoreUnavailable thrown = catchThrowableOfType(
                StoreUnavailable.class, () -> save(saving(faulty, heartbeats, Duration.ofMillis(50)), issued()));
        assertThat(thrown.effect()).isEqualTo(NOT_APPLIED);
        assertThat(faulty.attempts).hasSizeGreaterThan(1).doesNotHaveDuplicates();
        assertThat(writes).hasValue(0);
    }

    @Test
    void aReservationThatWasNotAppliedIsToldAtOnceForTheStoreHasSpentItsBudget() {
        Faulty faulty = new Faulty();
        faulty.answers.add(fails(NOT_APPLIED));
        StoreUnavailable thrown = catchThrowableOfType(
                StoreUnavailable.class, () -> save(saving(faulty, heartbeats, Duration.ofMinutes(1)), issued()));
        assertThat(thrown.effect()).isEqualTo(NOT_APPLIED);
        assertThat(faulty.attempts).hasSize(1);
        assertThat(writes).hasValue(0);
    }

    @Test
    void aClosedProcessRefusesBeforeTheStoreIsAsked() {
        Faulty faulty = new Faulty();
        Saving saving = saving(faulty, heartbeats, Duration.ofMinutes(1));
        SaveToken token = issued();
        heartbeats.close();
        assertThatThrownBy(() -> save(saving, token))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shutting down");
        assertThat(faulty.attempts).isEmpty();
    }

    @Test
    void aTokenThatIsWonAfterTheDrainLimitIsGivenBackAndNothingIsWritten() throws Exception {
        Faulty faulty = new Faulty();
        SaveToken token = issued(IfInDoubt.REFUSE);
        faulty.answers.add(answer -> {
            heartbeats.close(); // its drain limit is zero
            return answer;
        });
        assertThatThrownBy(() -> save(saving(faulty, heartbeats, Duration.ofMinutes(1)), token))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shutting down");
        assertThat(writes).hasValue(0);
        assertThat(save(saving(store, frozen, Duration.ofMinutes(1)), token)).isEqualTo(new Saved(RESULT));
    }

    @Test
    void aLimitUnderFourBeatsIsRefusedInTheConstructor() {
        assertThatThrownBy(() -> new Saving(
                        store,
                        heartbeats,
                        new Holder("a node"),
                        SilenceLimit.of(Duration.ofMillis(19)),
                        Budget.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("beat more often, or allow a longer silence");
    }

    @Test
    void s8_noTokenIsInALogOrAnException() throws Exception {
        List<String> said = new ArrayList<>();
        Handler everything = new Handler() {
            @Override
            public synchronized void publish(LogRecord line) {
                said.add(new SimpleFormatter().format(line));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger root = Logger.getLogger("");
        Level own = root.getLevel();
        root.addHandler(everything);
        root.setLevel(Level.ALL);
        everything.setLevel(Level.ALL);
        List<SaveToken> tokens = new ArrayList<>();
        try {
            for (StoreUnavailable.Effect effect : StoreUnavailable.Effect.values()) {
                Faulty faulty = new Faulty();
                SaveToken token = issued();
                tokens.add(token);
                faulty.answers.add(fails(effect));
                said.add(String.valueOf(catchThrowableOfType(
                        StoreUnavailable.class,
                        () -> saving(faulty, heartbeats, Duration.ofMillis(20))
                                .save(token, PAYLOAD, (mine, before, pulse) -> {
                                    said.add(mine + " " + before + " " + pulse);
                                    faulty.away = true;
                                    return RESULT;
                                }))));
                said.add(save(saving(), token) + " " + token + " " + token.digest());
                faulty.away = false;
            }
        } finally {
            root.removeHandler(everything);
            root.setLevel(own);
        }
        String all = String.join("\n", said);
        assertThat(all).contains(tokens.get(0).digest().toString());
        for (SaveToken token : tokens) {
            assertThat(all).doesNotContain(token.reveal());
        }
    }
}
