package io.holdfast.broken;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.contract.MatrixContract;
import io.holdfast.contract.Ports;
import io.holdfast.contract.Setting;
import io.holdfast.memory.MemoryEngine;
import io.holdfast.memory.MemoryLeases;
import java.util.List;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What the matrix says of a store that is right, and of one that is wrong where two settings meet. */
final class BrokenMatrixTest {
    private static final long SEED = 4711;

    @Test
    void aRightStoreIsFoundRight() {
        MatrixContract.Seen seen = new Matrix(new MemoryLeases()).look(SEED);
        assertThat(seen.hosts()).isGreaterThan(4);
        assertThat(seen.findings()).isEmpty();
    }

    @Test
    void twoSettingsThatMatterOnlyTogetherAreFound() {
        List<String> findings = new Matrix(new WallClock()).look(SEED).findings();
        assertThat(findings)
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(finding -> assertThat(finding)
                        .contains("seed " + SEED, "by the clock on the wall", "JVM in ")
                        .doesNotContain("no zone of the JVM"));
    }

    /** Leases by the clock on the wall, if one asks for that; in Greenwich nobody can tell. */
    private static final class WallClock extends MemoryLeases {
        private boolean asked;

        @Override
        protected long now() {
            long now = super.now();
            long millis = TimeUnit.MICROSECONDS.toMillis(now);
            return asked
                    ? now + TimeUnit.MILLISECONDS.toMicros(TimeZone.getDefault().getOffset(millis))
                    : now;
        }
    }

    private record Matrix(MemoryEngine subject) implements MatrixContract<MemoryEngine> {
        Matrix(MemoryLeases leases) {
            this(MemoryEngine.with(leases));
        }

        @Override
        public String met() {
            return "memory";
        }

        @Override
        public List<Setting<MemoryEngine>> settings() {
            return List.of(
                    Setting.<MemoryEngine>of("clock").or("by the clock on the wall", Matrix::useTheWallClock),
                    Setting.<MemoryEngine>of("other")
                            .or("one thing", engine -> {})
                            .or("another", engine -> {}));
        }

        private static void useTheWallClock(MemoryEngine engine) {
            if (engine.leases() instanceof WallClock clock) {
                clock.asked = true;
            }
        }

        @Override
        public void hosted(Consumer<? super MemoryEngine> set, Consumer<Ports> use) {
            try {
                set.accept(subject);
                use.accept(subject);
            } finally {
                if (subject.leases() instanceof WallClock clock) {
                    clock.asked = false;
                }
            }
        }
    }
}
