package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Hold;
import io.holdfast.Renewal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A siege sees what a server must not do. */
final class SiegeTest {
    private static final Renewal HELD = new Renewal.Held(Duration.ofMinutes(1));
    private static final Renewal LOST = new Renewal.Lost(Optional.empty());

    private record Held(AttemptId attempt, Fence fence) implements Hold {}

    /** @param fence of the nth take, the first being 1 */
    private record Key(boolean excludes, LongUnaryOperator fence, Renewal word, AtomicBoolean taken, AtomicLong takes)
            implements Siege.Key<Held> {
        Key(boolean excludes, LongUnaryOperator fence, Renewal word) {
            this(excludes, fence, word, new AtomicBoolean(), new AtomicLong());
        }

        @Override
        public Callable<@Nullable Held> wish(String owner) {
            return () -> excludes && !taken.compareAndSet(false, true)
                    ? null
                    : new Held(AttemptId.random(), new Fence(fence.applyAsLong(takes.incrementAndGet())));
        }

        /** For long enough that another one who holds, too, does so at the same time. */
        @Override
        public Renewal renew(Held hold) {
            LockSupport.parkNanos(2_000_000);
            return word;
        }

        @Override
        public boolean end(Held hold) {
            taken.set(false);
            return true;
        }

        @Override
        public void delete() {
            throw new AssertionError("nobody asked for that");
        }
    }

    private static void besiege(Key key) {
        Siege<Held> siege = new Siege<>(key);
        AtomicBoolean over = new AtomicBoolean();
        Contenders.race(4, n -> {
            try {
                if (n > 0) {
                    siege.holdUntil(over, "owner-" + n);
                } else {
                    while (siege.tenures() < 20 && !over.get()) {
                        LockSupport.parkNanos(1_000_000);
                    }
                }
            } finally {
                over.set(true);
            }
            return n;
        });
        siege.judge();
    }

    @Test
    void ofAServerThatKeepsItsWordItSaysNothing() {
        assertThatCode(() -> besiege(new Key(true, n -> n, HELD))).doesNotThrowAnyException();
    }

    @Test
    void itSeesTwoWhoHoldAtOnce() {
        assertThatThrownBy(() -> besiege(new Key(false, n -> n, HELD))).hasMessageContaining("did not hold at once");
    }

    @Test
    void itSeesAFenceThatGoesBack() {
        assertThatThrownBy(() -> besiege(new Key(true, n -> 1_000 - n, HELD)))
                .hasMessageContaining("are in the order of time");
    }

    @Test
    void itSeesAnEffectThatIsHadTwice() {
        assertThatThrownBy(() -> besiege(new Key(true, n -> (n + 1) / 2, HELD)))
                .hasMessageContaining("whose effect had fence");
    }

    @Test
    void itSeesAHoldThatWasGrantedAndIsNotThere() {
        assertThatThrownBy(() -> besiege(new Key(true, n -> n, LOST))).hasMessageContaining("what was granted is held");
    }
}
