package io.holdfast.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.NotDone;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.Tries;
import io.holdfast.save.ContentWriter;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal;
import io.holdfast.save.Reservation;
import io.holdfast.save.SaveOutcome;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.Saving;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Processes that are stopped and killed while they save. What they write to remembers the highest fence it has seen. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
interface SavingProcessContract {
    /** The store, as {@code --store} says it. */
    String url();

    /** Its engine and version, such as "PostgreSQL 18.6". */
    String engine();

    /** A resource that checks fences. */
    final class Shelf {
        private final List<String> kept = new ArrayList<>();
        private long highest;

        /** Keeps what is written, unless a newer holder has written before. */
        synchronized boolean write(String key, long fence, String content) {
            if (fence < highest) {
                return false;
            }
            highest = fence;
            kept.add(key + " " + content);
            return true;
        }

        synchronized boolean write(Reservation reservation, String content) {
            return write(reservation.idempotencyKey(), reservation.fence().value(), content);
        }

        /** As {@link SavingProcess} says it. */
        boolean write(String line, String content) {
            String[] words = line.split(" ");
            assertThat(words).hasSize(3).startsWith("write");
            return write(words[1], Long.parseLong(words[2]), content);
        }

        synchronized List<String> kept() {
            return List.copyOf(kept);
        }
    }

    /** Whoever comes with the token after the process, or instead of it. */
    final class Successor implements AutoCloseable {
        private final Backend backend;
        private final Heartbeats heartbeats = Heartbeats.every(SavingProcess.BEAT, Duration.ZERO);
        private final Saving saving;

        Successor(String url) {
            backend = Backend.open(StoreAddress.parse(url), Path.of(""), "holdfast_", Budget.DEFAULT);
            backend.prepare();
            saving = new Saving(
                    backend.saveTokens(), heartbeats, new Holder("successor"), SavingProcess.LIMIT, Budget.DEFAULT);
        }

        SaveToken issue(IfInDoubt ifInDoubt) {
            return saving.issue(Duration.ofHours(1), ifInDoubt);
        }

        /** Asks until nobody is at it any more. */
        SaveOutcome save(SaveToken token, ContentWriter<InterruptedException> writer) {
            try {
                SaveOutcome outcome = saving.save(token, SavingProcess.PAYLOAD, writer);
                while (outcome instanceof Refusal.InProgress busy) {
                    assertThat(busy.by().holder().label()).isEqualTo("process");
                    Thread.sleep(100);
                    outcome = saving.save(token, SavingProcess.PAYLOAD, writer);
                }
                return outcome;
            } catch (InterruptedException | NotDone e) {
                throw new IllegalStateException(e);
            }
        }

        /** The same, where nothing may be written any more. */
        SaveOutcome ask(SaveToken token) {
            return save(token, (reservation, takenOverFrom, pulse) -> fail("it is written once more"));
        }

        @Override
        public void close() {
            heartbeats.close();
            backend.close();
        }
    }

    static SaveResult result(String text) {
        return SaveResult.of(text.getBytes(UTF_8));
    }

    @Test
    default void stoppedPastItsLimitItsLateWriteIsRefusedAndItsEndIsLost() {
        tell(
                "G2 G4 G6 G7 S5 S6",
                "a process is stopped past its limit while it saves, another one takes over, and it is continued",
                this::stopPastItsLimit);
    }

    private void stopPastItsLimit() throws Exception {
        Shelf shelf = new Shelf();
        CountDownLatch lost = new CountDownLatch(1);
        try (Successor successor = new Successor(url())) {
            SaveToken token = successor.issue(IfInDoubt.RUN_AGAIN);
            try (SavingProcess process = SavingProcess.start(url(), "process", token)) {
                assertThat(process.hear()).isEqualTo("reserved");
                process.signal("STOP");

                CompletableFuture<Reservation> written = new CompletableFuture<>();
                CompletableFuture<SaveOutcome> saved = CompletableFuture.supplyAsync(() ->
                        successor.save(token, (reservation, takenOverFrom, pulse) -> {
                            assertThat(takenOverFrom).isPresent();
                            assertThat(shelf.write(reservation, "successor")).isTrue();
                            written.complete(reservation);
                            lost.await();
                            return result("successor");
                        }));
                CompletableFuture.anyOf(written, saved).get();
                assertThat(written).isCompleted();

                process.signal("CONT");
                process.tell("go on");
                assertThat(shelf.write(process.hear(), "process")).isFalse();
                process.tell("refused");
                assertThat(process.hear())
                        .startsWith("outcome Lost[to=Optional[Incumbent[attempt="
                                + written.get().attempt())
                        .contains("successor");
                lost.countDown();
                assertThat(saved.get()).isEqualTo(new SaveOutcome.Saved(result("successor")));
            }
            assertThat(successor.ask(token)).isEqualTo(new Refusal.Completed(result("successor")));
        }
        assertThat(shelf.kept()).singleElement().asString().endsWith("successor");
    }

    /** It is written twice, under one key. */
    @Test
    default void killedBetweenWriteAndEndItIsRunAgain() {
        tell(
                "G4 G7 S2 S6",
                "a process is killed between its write and the end of its save, and another one runs it again",
                this::runAgainWhatWasKilled);
    }

    private void runAgainWhatWasKilled() throws Exception {
        Shelf shelf = new Shelf();
        try (Successor successor = new Successor(url())) {
            SaveToken token = successor.issue(IfInDoubt.RUN_AGAIN);
            killAfterItsWrite(token, shelf);
            List<AttemptId> dead = new ArrayList<>();
            SaveOutcome saved = successor.save(token, (reservation, takenOverFrom, pulse) -> {
                takenOverFrom.ifPresent(dead::add);
                assertThat(shelf.write(reservation, "successor")).isTrue();
                return result("successor");
            });
            assertThat(saved).isEqualTo(new SaveOutcome.Saved(result("successor")));
            assertThat(dead).hasSize(1);
            assertThat(successor.ask(token)).isEqualTo(new Refusal.Completed(result("successor")));
            String key = token.digest().toString();
            assertThat(shelf.kept()).containsExactly(key + " process", key + " successor");
        }
    }

    /** It is written once, and an operator who has looked says so. */
    @Test
    default void killedBetweenWriteAndEndItIsInDoubtUntilSomebodyHasLooked() {
        tell(
                "G7 S2 S6",
                "a process is killed between its write and the end of its save, which is in doubt until it is settled",
                this::lookAfterWhatWasKilled);
    }

    private void lookAfterWhatWasKilled() throws Exception {
        Shelf shelf = new Shelf();
        try (Successor successor = new Successor(url())) {
            SaveToken token = successor.issue(IfInDoubt.REFUSE);
            killAfterItsWrite(token, shelf);
            SaveOutcome refused = successor.ask(token);
            Incumbent dead = ((Refusal.InDoubt) refused).by();
            assertThat(dead.holder().label()).isEqualTo("process");
            assertThat(dead.silentFor()).isGreaterThanOrEqualTo(SavingProcess.LIMIT.value());

            SaveResult found = result("process");
            assertThat(successor.backend.saveTokens().settle(token.digest(), dead.fence(), found))
                    .isEqualTo(found);
            assertThat(successor.ask(token)).isEqualTo(new Refusal.Completed(found));
        }
        assertThat(shelf.kept()).singleElement().asString().endsWith("process");
    }

    private void killAfterItsWrite(SaveToken token, Shelf shelf) throws Exception {
        try (SavingProcess process = SavingProcess.start(url(), "process", token)) {
            assertThat(process.hear()).isEqualTo("reserved");
            process.tell("go on");
            assertThat(shelf.write(process.hear(), "process")).isTrue();
            process.signal("KILL");
            assertThat(process.isGone()).isTrue();
        }
    }

    private void tell(String rules, String what, Executable attack) {
        Tries.once(Method.FAULTS, engine(), rules, what, attack);
    }
}
