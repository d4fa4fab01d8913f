package io.holdfast.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Pulse;
import io.holdfast.lease.UnderLease.Run;
import io.holdfast.memory.MemoryLeases;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The use case on the in-memory store, which is held to the same contract as the real ones. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReleasingTest {
    private static final ContentId GAME = ContentId.of("game");

    private final MemoryLeases store = new MemoryLeases();
    private final Heartbeats heartbeats = Heartbeats.every(Duration.ofMillis(5), Duration.ZERO);
    private final List<String> released = new ArrayList<>();

    @AfterEach
    void close() {
        heartbeats.close();
    }

    private Releasing releasing(String holder) {
        return new Releasing(store, heartbeats, new Holder(holder));
    }

    private Run<String> release(String holder, ContentId content) {
        return releasing(holder).release(content, (lease, pulse) -> {
            released.add(holder);
            return "v2";
        });
    }

    private static Incumbent refused(Run<?> run) {
        assertThat(run).isInstanceOf(Run.Refused.class);
        return ((Run.Refused<?>) run).by();
    }

    @Test
    void aContentIsReleasedByOneAtATimeAndOthersBesideIt() {
        Run<String> run = releasing("one").release(GAME, (lease, pulse) -> {
            assertThat(lease.name()).isEqualTo(Releasing.leaseOf(GAME));
            assertThat(refused(release("two", GAME)).attempt()).isEqualTo(lease.attempt());
            assertThat(release("two", ContentId.of("text"))).isEqualTo(new Run.Ran<>("v2", Pulse.View.HELD));
            return "v1";
        });
        assertThat(run).isEqualTo(new Run.Ran<>("v1", Pulse.View.HELD));
        assertThat(release("three", GAME)).isEqualTo(new Run.Ran<>("v2", Pulse.View.HELD));
        assertThat(released).containsExactly("two", "three");
    }

    /** The incident: a lock of five minutes ran out while a release of ten was at work, and the next one began beside it. */
    @Test
    void aReleaseThatTakesLongerThanItsLimitKeepsItsLease() {
        Duration limit = Releasing.DEFAULT_LIMIT.value();
        Run<String> run = releasing("one").release(GAME, (lease, pulse) -> {
            for (int i = 0; i < 3; i++) {
                store.letPass(limit.minusSeconds(10));
                while (silence().compareTo(limit.minusSeconds(10)) > 0) {
                    LockSupport.parkNanos(100_000);
                }
                refused(release("two", GAME));
            }
            assertThat(pulse.view()).isEqualTo(Pulse.View.HELD);
            return "v1";
        });
        assertThat(run).isEqualTo(new Run.Ran<>("v1", Pulse.View.HELD));
        assertThat(released).isEmpty();
    }

    private Duration silence() {
        return store.find(Releasing.leaseOf(GAME)).orElseThrow().silentFor();
    }

    @Test
    void aReleaseWhoseProcessDiedIsFollowedAfterItsLimit() {
        Heartbeats dead = Heartbeats.every(Duration.ofMinutes(1), Duration.ZERO);
        Run<Run<String>> run = new Releasing(store, dead, new Holder("dead")).release(GAME, (lease, pulse) -> {
            store.letPass(Releasing.DEFAULT_LIMIT.value().minusSeconds(10));
            refused(release("two", GAME));
            store.letPass(Duration.ofSeconds(10));
            return release("two", GAME);
        });
        assertThat(run).isEqualTo(new Run.Ran<>(new Run.Ran<>("v2", Pulse.View.HELD), Pulse.View.LOST));
        dead.close();
    }

    @Test
    void aReleaseThatFailsLetsTheNextOneComeAtOnce() {
        IOException failed = new IOException("upload failed");
        assertThatThrownBy(() -> releasing("one").release(GAME, (lease, pulse) -> {
                    throw failed;
                }))
                .isSameAs(failed);
        assertThat(release("two", GAME)).isEqualTo(new Run.Ran<>("v2", Pulse.View.HELD));
    }
}
