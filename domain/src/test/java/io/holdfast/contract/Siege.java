package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Hold;
import io.holdfast.Renewal;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.contract.Rally.Tenure;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseStore.Release.Released;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Several owners who take one key over and over while somebody breaks the server. Each asks the same again until it is
 * answered, and each hold has one effect, which a resource counts by its fence.
 */
final class Siege<H extends Hold> {
    /** What they take. */
    interface Key<H extends Hold> {
        /** A new attempt. It may be asked again and again, and is granted or not, which is null. */
        Callable<@Nullable H> wish(String owner);

        @Nullable
        Renewal renew(H hold);

        /** Asks until there is a word (G14). */
        default boolean isHeld(H hold) {
            return Stubborn.ask(() -> {
                @Nullable Renewal word = renew(hold);
                if (word == null) {
                    throw new StoreUnavailable(Effect.NOT_APPLIED, "no word", new IllegalStateException());
                }
                return word instanceof Renewal.Held;
            });
        }

        /** Whether it is this hold that has ended, now or before; else somebody else has taken the key since (L3). */
        boolean end(H hold);

        /** Deletes its row by hand, as an operator would. */
        void delete();

        /** What must be there before anybody can take it. */
        default void setUp() {}

        /** Asserts that it can be taken. */
        default H taken(String owner) {
            H hold = Stubborn.ask(wish(owner));
            assertThat(hold).as("%s, for %s", this, owner).isNotNull();
            return hold;
        }

        /** Of each kind of hold one. */
        static List<Key<?>> all(EngineSubject store) {
            return List.of(
                    new App(Trial.on(store)), new LeaseKey(LeaseTrial.on(store)), new Token(SaveTrial.on(store)));
        }
    }

    /** How many take at once. */
    private static final int OWNERS = 12;

    private final Key<H> key;
    private final Queue<Tenure> tenures = new ConcurrentLinkedQueue<>();
    private final Map<Fence, AttemptId> effects = new ConcurrentHashMap<>();

    Siege(Key<H> key) {
        this.key = key;
    }

    /**
     * Takes keys of each kind while {@code fault} is done to their server again and again, after some takes of each, and goes
     * on after it; then judges what came of it.
     *
     * @return how often a key was taken
     */
    static int lay(EngineSubject store, Random random, int times, Runnable fault, Tries tries) {
        List<Siege<?>> sieges = new ArrayList<>();
        Key.all(store).forEach(key -> sieges.add(new Siege<>(key)));
        AtomicBoolean over = new AtomicBoolean();
        List<Callable<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < OWNERS; i++) {
            Siege<?> siege = sieges.get(i % sieges.size());
            String owner = "owner-" + i;
            all.add(() -> {
                tries.attempt(owner, () -> siege.holdUntil(over, owner));
                return true;
            });
        }
        all.add(() -> {
            tries.attempt("takes go on", () -> {
                for (int i = 0; i < times; i++) {
                    awaitTakes(sieges, 5 + random.nextInt(20));
                    fault.run();
                }
                awaitTakes(sieges, 5);
            });
            over.set(true);
            return true;
        });
        Contenders.race(all);
        for (Siege<?> siege : sieges) {
            tries.attempt("history", siege::judge);
            tries.attempt("is it stuck", () -> siege.assertNotStuck(() -> store.letPass(Trial.LIMIT)));
        }
        return sieges.stream().mapToInt(Siege::tenures).sum();
    }

    /** Until each key was taken so many more times. */
    private static void awaitTakes(List<Siege<?>> sieges, int more) {
        for (Siege<?> siege : sieges) {
            int before = siege.tenures();
            assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
                while (siege.tenures() < before + more) {
                    LockSupport.parkNanos(1_000_000);
                }
            });
        }
    }

    int tenures() {
        return tenures.size();
    }

    /** Takes, renews, has its effect, and lets go. */
    void holdUntil(AtomicBoolean over, String owner) {
        while (!over.get()) {
            Callable<@Nullable H> wish = key.wish(owner);
            long asked = System.nanoTime();
            H hold = Stubborn.ask(wish);
            if (hold == null) {
                continue;
            }
            long granted = System.nanoTime();
            // What was granted is there, also after a restart; and repeated, it is the same.
            assertThat(key.isHeld(hold)).as("%s: what was granted is held", key).isTrue();
            assertThat(effects.putIfAbsent(hold.fence(), hold.attempt()))
                    .as("%s: whose effect had fence %s before", key, hold.fence())
                    .isNull();
            long ending = System.nanoTime();
            AtomicBoolean mayHaveEnded = new AtomicBoolean();
            boolean hasEnded = Stubborn.ask(() -> key.end(hold), () -> mayHaveEnded.set(true));
            assertThat(hasEnded || mayHaveEnded.get())
                    .as("%s: the end of what was held", key)
                    .isTrue();
            tenures.add(new Tenure(hold, asked, granted, ending, System.nanoTime()));
        }
    }

    void judge() {
        Rally rally = new Rally(
                tenures.stream()
                        .sorted(Comparator.comparing(tenure -> tenure.hold().fence()))
                        .toList(),
                List.of());
        rally.assertThatNoTwoHeldAtOnce();
        rally.assertThatFencesGrew();
        assertThat(effects.values()).as("attempts that had an effect").doesNotHaveDuplicates();
        assertThat(effects).as("effects").hasSize(tenures.size());
    }

    /** Somebody holds and falls silent; when its limit is over the next one holds, with a higher fence. */
    void assertNotStuck(Runnable limitPasses) {
        H silent = key.taken("silent");
        assertThat(Stubborn.ask(key.wish("early"))).as("%s, early", key).isNull();
        limitPasses.run();
        assertThat(key.taken("next").fence()).isGreaterThan(silent.fence());
        effects.keySet().forEach(before -> assertThat(silent.fence()).isGreaterThan(before));
    }

    private record App(Trial app) implements Key<Claim> {
        @Override
        public Callable<@Nullable Claim> wish(String owner) {
            Wish wish = app.wish(owner);
            return () -> app.ask(wish) instanceof Claimed claimed ? claimed.claim() : null;
        }

        @Override
        public @Nullable Renewal renew(Claim hold) {
            return app.renew(hold);
        }

        @Override
        public boolean end(Claim hold) {
            return app.finish(hold, Trial.FAILED) instanceof FinishOutcome.Ended;
        }

        @Override
        public void delete() {
            app.store().deleteByHand(app.app());
        }
    }

    private record LeaseKey(LeaseTrial lease) implements Key<Lease> {
        @Override
        public Callable<@Nullable Lease> wish(String owner) {
            LeaseTrial.Wish wish = LeaseTrial.wish(owner);
            return () -> lease.ask(wish) instanceof Acquired acquired ? acquired.lease() : null;
        }

        @Override
        public @Nullable Renewal renew(Lease hold) {
            return lease.renew(hold);
        }

        @Override
        public boolean end(Lease hold) {
            return lease.release(hold, Duration.ZERO) instanceof Released;
        }

        @Override
        public void delete() {
            lease.store().deleteByHand(lease.name());
        }
    }

    private record Token(SaveTrial token) implements Key<Reservation> {
        @Override
        public Callable<@Nullable Reservation> wish(String owner) {
            ReserveRequest wish = token.wish(owner);
            return () -> token.ask(wish) instanceof Reserved reserved ? reserved.reservation() : null;
        }

        @Override
        public @Nullable Renewal renew(Reservation hold) {
            return token.renew(hold);
        }

        @Override
        public boolean end(Reservation hold) {
            return token.end(hold, SaveTrial.NOT_SAVED).equals(SaveTrial.NOT_SAVED);
        }

        @Override
        public void delete() {
            token.store().deleteByHand(token.token());
        }

        @Override
        public void setUp() {
            token.issued(SaveTrial.VALID, IfInDoubt.RUN_AGAIN);
        }
    }
}
