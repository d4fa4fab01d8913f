package io.holdfast.app.race;

import io.holdfast.AttemptId;
import io.holdfast.Incumbent;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Refusal;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveTokenStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Contenders whose stores are wrong on purpose. */
final class Spoilt {
    private Spoilt() {}

    /** Everybody has it. */
    static final class Greedy {
        public static void main(String[] args) throws IOException {
            spoil(Greedy::granted);
        }

        private static @Nullable Object granted(Object[] asked, @Nullable Object outcome) {
            if (outcome instanceof Refusal.InProgress busy && asked[0] instanceof ClaimRequest request) {
                return new ClaimOutcome.Claimed(
                        new Claim(
                                request.app(), request.attempt(), busy.running().fence()),
                        request.limit().value(),
                        Optional.empty());
            }
            if (outcome instanceof io.holdfast.save.Refusal.InProgress busy
                    && asked[0] instanceof ReserveRequest request) {
                return new ReserveOutcome.Reserved(
                        new Reservation(
                                request.token(), request.attempt(), busy.by().fence()),
                        request.limit().value(),
                        Optional.empty());
            }
            if (outcome instanceof RotateOutcome.Replayed<?> before && before.successor() instanceof Generation next) {
                return new RotateOutcome.Rotated<>(next);
            }
            if (outcome instanceof LeaseOutcome.Taken taken) {
                return new LeaseOutcome.Acquired(
                        new Lease(
                                (LeaseName) asked[0],
                                (AttemptId) asked[1],
                                taken.by().fence()),
                        Duration.ofMinutes(5));
            }
            return outcome instanceof ImposeOutcome.Another another
                    ? new ImposeOutcome.Imposed(with((AttemptId) asked[0], another.active()))
                    : outcome;
        }
    }

    /** Somebody else has it, who does not exist. */
    static final class Liar {
        public static void main(String[] args) throws IOException {
            spoil(Liar::invented);
        }

        private static @Nullable Object invented(Object[] asked, @Nullable Object outcome) {
            if (outcome instanceof Refusal.InProgress busy) {
                return new Refusal.InProgress(nobody(busy.running()));
            }
            if (outcome instanceof io.holdfast.save.Refusal.InProgress busy) {
                return new io.holdfast.save.Refusal.InProgress(nobody(busy.by()));
            }
            if (outcome instanceof RotateOutcome.Replayed<?> before && before.successor() instanceof Generation next) {
                return new RotateOutcome.Replayed<>(next.next());
            }
            if (outcome instanceof LeaseOutcome.Taken taken) {
                return new LeaseOutcome.Taken(nobody(taken.by()));
            }
            return outcome instanceof ImposeOutcome.Another another
                    ? new ImposeOutcome.Another(with(AttemptId.random(), another.active()))
                    : outcome;
        }

        private static Incumbent nobody(Incumbent running) {
            return new Incumbent(
                    AttemptId.random(),
                    running.holder(),
                    running.fence(),
                    running.since(),
                    running.silentFor(),
                    running.takeableIn());
        }
    }

    /** The dead owner is taken over, and not named. */
    static final class Silent {
        public static void main(String[] args) throws IOException {
            spoil((asked, outcome) -> outcome instanceof ClaimOutcome.Claimed won
                    ? new ClaimOutcome.Claimed(won.claim(), won.remaining(), Optional.empty())
                    : outcome);
        }
    }

    /** No two tabs: whoever comes second is a thief. And no two tries: the second one is given something else. */
    static final class Strict {
        public static void main(String[] args) throws IOException {
            spoil((asked, outcome) -> {
                if (outcome instanceof RotateOutcome.Replayed<?> && asked[0] instanceof Generation spent) {
                    return new RotateOutcome.Reused<>(spent.family());
                }
                return outcome instanceof io.holdfast.save.Refusal.Completed
                        ? new io.holdfast.save.Refusal.Completed(SaveResult.of(new byte[] {'?'}))
                        : outcome;
            });
        }
    }

    private static Sanction with(AttemptId id, Sanction sanction) {
        return new Sanction(id, sanction.terms(), sanction.since(), sanction.state());
    }

    private interface Spoil {
        @Nullable
        Object of(Object[] asked, @Nullable Object outcome);
    }

    private static void spoil(Spoil spoil) throws IOException {
        Contender.run(stores -> new Stores(
                spoilt(ClaimStore.class, stores.claims(), spoil),
                spoilt(SaveTokenStore.class, stores.saveTokens(), spoil),
                spoilt(RefreshTokenStore.class, stores.refreshTokens(), spoil),
                spoilt(LeaseStore.class, stores.leases(), spoil),
                spoilt(SanctionStore.class, stores.sanctions(), spoil)));
    }

    private static <P> P spoilt(Class<P> port, P store, Spoil spoil) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (proxy, method, asked) -> {
                    try {
                        return spoil.of(asked, method.invoke(store, asked));
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                }));
    }
}
