package io.holdfast.app.race;

import io.holdfast.app.race.Way.Pressed;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Runs what works on its caller's thread, and tells how it began before it is over. Thread-safe. */
final class Beside {
    private final Executor threads = Executors.newCachedThreadPool(Threads.daemons("work"));

    interface Work {
        /**
         * Works.
         *
         * @param answer to be completed by whoever knows first: the work when it starts, or a refusal
         * @return how it ended
         */
        String run(CompletableFuture<Answer> answer);
    }

    Pressed press(Work work) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        CompletableFuture<String> end = CompletableFuture.supplyAsync(() -> run(work, answer), threads);
        Answer said = answer.join();
        return said.started() ? new Pressed(said, end) : Pressed.told(said);
    }

    private static String run(Work work, CompletableFuture<Answer> answer) {
        try {
            return work.run(answer);
        } catch (RuntimeException | Error e) {
            // What fails before it has begun has no other answer.
            answer.complete(Answer.error(e));
            throw e;
        }
    }
}
