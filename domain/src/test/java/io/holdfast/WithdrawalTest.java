package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseStore;
import io.holdfast.lease.UnderLease;
import io.holdfast.memory.MemoryLeases;
import io.holdfast.memory.MemoryPublishes;
import io.holdfast.memory.MemorySaveTokens;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Orchestrator;
import io.holdfast.publish.PublishOutcome;
import io.holdfast.publish.Publishing;
import io.holdfast.publish.Refusal;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal.InDoubt;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.Saving;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What becomes of a take whose caller was told that nobody knows: of each kind of hold, on the in-memory stores, in simulated
 * time.
 */
class WithdrawalTest {
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final SilenceLimit LIMIT = SilenceLimit.of(Duration.ofMinutes(5));
    private static final Budget ONE_REPETITION = Budget.of(Duration.ofNanos(1));
    private static final Holder ME = new Holder("me");
    private static final Holder OTHER = new Holder("other");

    /** Held, because a logger that nobody holds forgets its level: what the tests provoke need not be read. */
    private static final Logger LOG = Logger.getLogger(Heartbeats.class.getName());

    @BeforeAll
    static void quiet() {
        LOG.setUseParentHandlers(false);
    }

    @AfterAll
    static void asBefore() {
        LOG.setUseParentHandlers(true);
    }

    /** What lies between a use case and its store. */
    private static final class Network {
        /** What becomes of a call that changes something; its caller hears nothing, unless it passes. */
        enum Fate {
            PASSES,
            REQUEST_LOST,
            REPLY_LOST,
            REQUEST_LATE
        }

        Fate takes = Fate.PASSES;
        Fate ends = Fate.PASSES;
        Fate renewals = Fate.PASSES;
        final List<String> calls = new ArrayList<>();
        private final List<Runnable> late = new ArrayList<>();

        <S> S to(Class<S> port, S store) {
            return port.cast(Proxy.newProxyInstance(
                    port.getClassLoader(), new Class<?>[] {port}, (proxy, method, values) -> {
                        calls.add(method.getName());
                        return switch (fate(method)) {
                            case PASSES -> call(store, method, values);
                            case REQUEST_LOST -> throw silence();
                            case REPLY_LOST -> {
                                call(store, method, values);
                                throw silence();
                            }
                            case REQUEST_LATE -> {
                                late.add(() -> call(store, method, values));
                                throw silence();
                            }
                        };
                    }));
        }

        private Fate fate(Method method) {
            return switch (method.getName()) {
                case "renew" -> renewals;
                case "finish", "release", "end" -> ends;
                default -> takes;
            };
        }

        private static Object call(Object store, Method method, Object[] values) {
            try {
                return method.invoke(store, values);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }

        private static StoreUnavailable silence() {
            return new StoreUnavailable(Effect.UNKNOWN, "no reply", new Exception());
        }

        void goAway() {
            takes = Fate.REQUEST_LOST;
            ends = Fate.REQUEST_LOST;
            renewals = Fate.REQUEST_LOST;
        }

        void comeBack() {
            takes = Fate.PASSES;
            ends = Fate.PASSES;
            renewals = Fate.PASSES;
        }

        void deliverLate() {
            assertThat(late).isNotEmpty();
            late.forEach(Runnable::run);
        }
    }

    private final SimulatedTime time = new SimulatedTime();
    private final Heartbeats heartbeats =
            new Heartbeats(Duration.ofSeconds(30), Duration.ZERO, time.clocks(), time, time);
    private final Network network = new Network();
    private int works;

    /** One kind of hold: a key, the use case that takes it over the network, and somebody else who is near the store. */
    private abstract static class Kind<H extends Hold> {
        /** By the use case; the work counts itself. */
        abstract void take() throws Exception;

        abstract Optional<H> takenByOther();

        abstract HoldStore<H> store();

        abstract void letPass(Duration time);

        abstract String dump();

        Renewal renewed(H hold) {
            return store().renew(List.of(hold)).getOrDefault(hold, new Renewal.Lost(Optional.empty()));
        }

        void toldUnknown() {
            assertThatThrownBy(this::take)
                    .isInstanceOfSatisfying(
                            StoreUnavailable.class,
                            thrown -> assertThat(thrown.effect()).isEqualTo(Effect.UNKNOWN));
        }
    }

    private final class Publish extends Kind<Claim> {
        static final AppId APP = AppId.of("shop");
        static final Slug SLUG = Slug.of("shop");

        final MemoryPublishes store = new MemoryPublishes();
        final Orchestrator orchestrator = (claim, slug, from, pulse) -> {
            works++;
            return new CompletableFuture<>();
        };
        final Publishing publishing = new Publishing(
                network.to(ClaimStore.class, store), orchestrator, heartbeats, ME, LIMIT, ONE_REPETITION);
        Optional<RequestKey> key = Optional.empty();

        PublishOutcome publish() {
            return publishing.publish(APP, SLUG, key);
        }

        @Override
        void take() {
            publish();
        }

        @Override
        Optional<Claim> takenByOther() {
            return store.claim(new ClaimRequest(AttemptId.random(), APP, SLUG, OTHER, LIMIT, Optional.empty()))
                            instanceof Claimed won
                    ? Optional.of(won.claim())
                    : Optional.empty();
        }

        @Override
        HoldStore<Claim> store() {
            return store;
        }

        @Override
        void letPass(Duration passed) {
            store.letPass(passed);
        }

        @Override
        String dump() {
            return store.dump(APP);
        }

        Deployment last() {
            return store.recent(APP, 1).get(0);
        }
    }

    private final class OnLease extends Kind<Lease> {
        static final LeaseName NAME = LeaseName.of("nightly");

        final MemoryLeases store = new MemoryLeases();
        final UnderLease lease =
                new UnderLease(network.to(LeaseStore.class, store), heartbeats, ME, LIMIT, ONE_REPETITION);

        @Override
        void take() {
            lease.run(NAME, Duration.ofHours(1), (mine, pulse) -> works++);
        }

        @Override
        Optional<Lease> takenByOther() {
            return store.acquire(NAME, AttemptId.random(), OTHER, LIMIT) instanceof Acquired won
                    ? Optional.of(won.lease())
                    : Optional.empty();
        }

        @Override
        HoldStore<Lease> store() {
            return store;
        }

        @Override
        void letPass(Duration passed) {
            store.letPass(passed);
        }

        @Override
        String dump() {
            return store.dump(NAME);
        }
    }

    private final class Save extends Kind<Reservation> {
        final Fingerprint payload = Fingerprint.of(new byte[] {7});
        final MemorySaveTokens store = new MemorySaveTokens();
        final Saving saving =
                new Saving(network.to(SaveTokenStore.class, store), heartbeats, ME, LIMIT, ONE_REPETITION);
        final SaveToken token;

        Save(IfInDoubt ifInDoubt) {
            token = saving.issue(Duration.ofDays(1), ifInDoubt);
            network.calls.clear();
        }

        @Override
        void take() throws NotDone {
            saving.save(token, payload, (mine, before, pulse) -> {
                works++;
                return SaveResult.of(new byte[0]);
            });
        }

        @Override
        Optional<Reservation> takenByOther() {
            return reserved().map(Reserved::reservation);
        }

        Optional<Reserved> reserved() {
            return store.reserve(new ReserveRequest(token.digest(), AttemptId.random(), payload, OTHER, LIMIT))
                            instanceof Reserved won
                    ? Optional.of(won)
                    : Optional.empty();
        }

        @Override
        HoldStore<Reservation> store() {
            return store;
        }

        @Override
        void letPass(Duration passed) {
            store.letPass(passed);
        }

        @Override
        String dump() {
            return store.dump(token.digest());
        }
    }

    private void assertNothingIsPlanned() {
        time.advance(RETRY); // a beat plans the next one before it knows what it delivers
        assertThat(time.plannedTasks()).isZero();
    }

    private static Stream<DynamicTest> each(BiConsumer<WithdrawalTest, Kind<?>> test) {
        List<Function<WithdrawalTest, Kind<?>>> kinds = List.of(
                each -> each.new Publish(),
                each -> each.new OnLease(),
                each -> each.new Save(IfInDoubt.RUN_AGAIN),
                each -> each.new Save(IfInDoubt.REFUSE));
        List<String> names = List.of("a claim", "a lease", "a save that is run again", "a save that is refused");
        return Stream.iterate(0, i -> i + 1)
                .limit(kinds.size())
                .map(i -> dynamicTest(names.get(i), () -> {
                    WithdrawalTest fresh = new WithdrawalTest();
                    test.accept(fresh, kinds.get(i).apply(fresh));
                    assertThat(fresh.works).as("work that was begun").isZero();
                }));
    }

    @TestFactory
    Stream<DynamicTest> whatATakeHasGotWhoseReplyIsLostIsGivenBack() {
        return each((test, kind) -> {
            test.network.takes = Network.Fate.REPLY_LOST;
            kind.toldUnknown();
            assertThat(kind.takenByOther()).isEmpty();
            test.network.comeBack();
            test.network.calls.clear();
            test.time.advance(RETRY);
            assertThat(test.network.calls).hasSize(2).startsWith("renew");
            assertThat(kind.takenByOther()).isPresent();
            test.assertNothingIsPlanned();
        });
    }

    /** It takes what it never had, for a moment, because its first packet may be under way: an attempt that has ended takes nothing. */
    @TestFactory
    Stream<DynamicTest> g5_aPacketThatComesAfterTheWithdrawalTakesNothing() {
        return each((test, kind) -> {
            test.network.takes = Network.Fate.REQUEST_LATE;
            kind.toldUnknown();
            test.network.comeBack();
            test.time.advance(RETRY);
            String withdrawn = kind.dump();
            test.network.deliverLate();
            assertThat(kind.dump()).isEqualTo(withdrawn);
            assertThat(kind.takenByOther()).isPresent();
        });
    }

    @TestFactory
    Stream<DynamicTest> aPacketThatComesBeforeItIsWithdrawn() {
        return each((test, kind) -> {
            test.network.takes = Network.Fate.REQUEST_LATE;
            kind.toldUnknown();
            test.network.deliverLate();
            assertThat(kind.takenByOther()).isEmpty();
            test.network.comeBack();
            test.time.advance(RETRY);
            assertThat(kind.takenByOther()).isPresent();
        });
    }

    /** After an outage everybody is silent; whoever asks now would take a hold over whose work goes on. */
    @TestFactory
    Stream<DynamicTest> whatSomebodyElseHoldsIsLeftAloneSilentOrNot() {
        return each((test, kind) -> assertLeftAlone(test, kind));
    }

    private static <H extends Hold> void assertLeftAlone(WithdrawalTest test, Kind<H> kind) {
        test.network.goAway();
        kind.toldUnknown();
        H others = kind.takenByOther().orElseThrow();
        kind.letPass(LIMIT.value());
        String before = kind.dump();
        test.network.comeBack();
        test.network.calls.clear();
        test.time.advance(RETRY);
        assertThat(test.network.calls).containsExactly("renew");
        assertThat(kind.dump()).isEqualTo(before);
        assertThat(kind.renewed(others)).isInstanceOf(Renewal.Held.class);
        test.assertNothingIsPlanned();
    }

    /** Also beyond the limit: a REFUSE token would be in doubt else, and a deployment abandoned with its request key. */
    @TestFactory
    Stream<DynamicTest> itIsWithdrawnHoweverLongTheStoreStaysAway() {
        return each((test, kind) -> {
            test.network.takes = Network.Fate.REPLY_LOST;
            kind.toldUnknown();
            test.network.goAway();
            test.network.calls.clear();
            test.time.advance(Duration.ofHours(1));
            kind.letPass(Duration.ofHours(1));
            assertThat(test.network.calls).hasSizeBetween(1_700, 1_800).containsOnly("renew");
            test.network.comeBack();
            test.time.advance(RETRY);
            assertThat(kind.dump())
                    .satisfiesAnyOf(
                            dump -> assertThat(dump).contains("NotStarted"),
                            dump -> assertThat(dump).contains("held=false"));
            assertThat(kind.takenByOther()).isPresent();
        });
    }

    /** What is to be given back is not kept from others by asking for it. */
    @TestFactory
    Stream<DynamicTest> whatCannotBeGivenBackYetIsNotRenewed() {
        return each((test, kind) -> {
            test.network.takes = Network.Fate.REPLY_LOST;
            kind.toldUnknown();
            test.network.comeBack();
            test.network.ends = Network.Fate.REQUEST_LOST;
            String taken = kind.dump();
            test.time.advance(Duration.ofMinutes(1));
            assertThat(kind.dump()).isEqualTo(taken);
            test.network.comeBack();
            test.time.advance(RETRY);
            assertThat(kind.takenByOther()).isPresent();
        });
    }

    @TestFactory
    Stream<DynamicTest> aWithdrawalWhoseOwnRepliesAreLostIsRepeatedAndSaysTheSame() {
        return each((test, kind) -> {
            test.network.goAway();
            kind.toldUnknown();
            test.network.renewals = Network.Fate.PASSES;
            test.network.takes = Network.Fate.REPLY_LOST;
            test.network.ends = Network.Fate.REPLY_LOST;
            test.time.advance(RETRY.multipliedBy(5));
            test.network.comeBack();
            test.time.advance(RETRY);
            assertThat(kind.takenByOther()).isPresent();
            test.assertNothingIsPlanned();
        });
    }

    @TestFactory
    Stream<DynamicTest> whoeverTookOverMeanwhileIsNotDisturbed() {
        return each((test, kind) -> {
            test.network.takes = Network.Fate.REPLY_LOST;
            kind.toldUnknown();
            kind.letPass(LIMIT.value());
            Optional<? extends Hold> taken = kind.takenByOther();
            String before = kind.dump();
            test.network.comeBack();
            test.time.advance(RETRY);
            if (taken.isPresent()) {
                assertThat(kind.dump()).isEqualTo(before);
            } else {
                // A token to be refused is in doubt, until its holder has come back: it has.
                assertThat(kind.takenByOther()).isPresent();
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> e5_anInterruptedCallersTakeIsWithdrawnToo() {
        return each((test, kind) -> {
            test.network.takes = Network.Fate.REPLY_LOST;
            Thread.currentThread().interrupt();
            kind.toldUnknown();
            assertThat(Thread.interrupted()).isTrue();
            test.network.comeBack();
            test.time.advance(RETRY);
            assertThat(kind.takenByOther()).isPresent();
        });
    }

    @TestFactory
    Stream<DynamicTest> afterTheDrainLimitNothingIsWithdrawnAndThatIsSaidOnce() {
        return each((test, kind) -> {
            List<LogRecord> said = new ArrayList<>();
            Handler ear = new Handler() {
                @Override
                public void publish(LogRecord line) {
                    said.add(line);
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };
            test.network.goAway();
            kind.toldUnknown();
            kind.toldUnknown();
            test.network.comeBack();
            test.network.calls.clear();
            LOG.addHandler(ear);
            try {
                test.heartbeats.close();
            } finally {
                LOG.removeHandler(ear);
            }
            test.time.advance(Duration.ofHours(1));
            assertThat(test.network.calls).isEmpty();
            assertThat(said)
                    .filteredOn(line -> line.getLevel().equals(Level.WARNING))
                    .singleElement()
                    .satisfies(line -> assertThat(line.getMessage()).contains("could not be withdrawn"));
        });
    }

    /** The drain limit may be over while the store is being asked who holds. */
    @Test
    void afterTheDrainLimitNothingIsTakenAnyMore() {
        AttemptId attempt = AttemptId.random();
        List<String> asked = new ArrayList<>();
        Heart<Lease> heart = heartbeats.of(
                holds -> {
                    asked.add("who holds");
                    heartbeats.close();
                    return Map.of(holds.iterator().next(), new Renewal.Lost(Optional.empty()));
                },
                LIMIT);
        Heart.Take<String, Lease> take = new Heart.Take<>(
                fence -> new Lease(OnLease.NAME, attempt, fence),
                () -> {
                    asked.add("for it");
                    throw Network.silence();
                },
                answer -> Optional.empty(),
                lease -> asked.add("to take it back"));
        assertThatThrownBy(() -> heart.taking(ONE_REPETITION, take, (answer, sent) -> answer))
                .isInstanceOf(StoreUnavailable.class);
        time.advance(Duration.ofHours(1));
        assertThat(asked).containsExactly("for it", "for it", "who holds");
    }

    @Test
    void whatWasNotAppliedLeavesNothingToWithdraw() {
        AttemptId attempt = AttemptId.random();
        Heart<Lease> heart = heartbeats.of(new MemoryLeases(), LIMIT);
        Heart.Take<String, Lease> take = new Heart.Take<>(
                fence -> new Lease(OnLease.NAME, attempt, fence),
                () -> {
                    throw new StoreUnavailable(Effect.NOT_APPLIED, "refused", new Exception());
                },
                answer -> Optional.empty(),
                lease -> {});
        assertThatThrownBy(() -> heart.taking(ONE_REPETITION, take, (answer, sent) -> answer))
                .isInstanceOf(StoreUnavailable.class);
        assertNothingIsPlanned();
    }

    /** A store that breaks its contract must not be asked for ever. */
    @Test
    void aWithdrawalThatFailsForAnotherReasonIsNotRepeated() {
        OnLease kind = new OnLease();
        network.takes = Network.Fate.REPLY_LOST;
        kind.toldUnknown();
        Heart<Lease> heart = heartbeats.of(
                holds -> {
                    throw new IllegalStateException("bug");
                },
                LIMIT);
        AttemptId attempt = AttemptId.random();
        Heart.Take<String, Lease> take = new Heart.Take<>(
                fence -> new Lease(OnLease.NAME, attempt, fence),
                () -> {
                    throw Network.silence();
                },
                answer -> Optional.empty(),
                lease -> {});
        assertThatThrownBy(() -> heart.taking(ONE_REPETITION, take, (answer, sent) -> answer))
                .isInstanceOf(StoreUnavailable.class);
        network.comeBack();
        time.advance(RETRY);
        assertNothingIsPlanned();
        assertThat(kind.takenByOther()).isPresent();
    }

    @Test
    void c11_theRequestKeyIsFreeOnceItIsWithdrawnAndNotBefore() {
        Publish kind = new Publish();
        kind.key = Optional.of(RequestKey.of("key"));
        network.takes = Network.Fate.REPLY_LOST;
        kind.toldUnknown();
        AttemptId unknown = kind.last().id();
        network.comeBack();
        assertThat(kind.publish())
                .isInstanceOfSatisfying(
                        Refusal.AlreadyRun.class,
                        run -> assertThat(run.deployment().id()).isEqualTo(unknown));
        time.advance(RETRY);
        assertThat(kind.last().state()).isInstanceOf(Ending.NotStarted.class);
        assertThat(kind.publish()).isInstanceOf(PublishOutcome.Started.class);
        assertThat(works).isOne();
    }

    /** Its client came again with the key meanwhile, and was served: there is nothing to be taken for that key. */
    @Test
    void c11_aClientThatCameAgainMeanwhileIsNotDisturbed() {
        Publish kind = new Publish();
        kind.key = Optional.of(RequestKey.of("key"));
        network.goAway();
        kind.toldUnknown();
        network.comeBack();
        PublishOutcome.Started started = (PublishOutcome.Started) kind.publish();
        kind.store.finish(started.claim(), new Ending.Failed("it does not compile"));
        time.advance(RETRY);
        assertThat(kind.store.recent(Publish.APP, 10)).hasSize(1);
    }

    /** S5: whoever takes a token with a doubt about somebody else gives back for itself alone. */
    @Test
    void s5_theDoubtAboutWhomItTookOverStays() {
        Save kind = new Save(IfInDoubt.RUN_AGAIN);
        Reservation doubtful = kind.takenByOther().orElseThrow();
        kind.letPass(LIMIT.value());
        network.takes = Network.Fate.REPLY_LOST;
        kind.toldUnknown();
        network.comeBack();
        time.advance(RETRY);
        assertThat(kind.reserved().orElseThrow().takenOverFrom()).contains(doubtful.attempt());
    }

    @Test
    void s7_ofATokenThatExpiredMeanwhileNothingIsInDoubt() {
        Save kind = new Save(IfInDoubt.REFUSE);
        network.takes = Network.Fate.REPLY_LOST;
        kind.toldUnknown();
        kind.letPass(Duration.ofDays(2));
        ReserveRequest somebody =
                new ReserveRequest(kind.token.digest(), AttemptId.random(), kind.payload, OTHER, LIMIT);
        assertThat(kind.store.reserve(somebody)).isInstanceOf(InDoubt.class);
        network.comeBack();
        time.advance(RETRY);
        assertThat(kind.store.reserve(somebody)).isInstanceOf(io.holdfast.save.Refusal.Expired.class);
    }
}
