package io.holdfast.app.serve;

import io.holdfast.AttemptId;
import io.holdfast.Pulse;
import io.holdfast.publish.Claim;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Orchestrator;
import io.holdfast.publish.Slug;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Builds nothing, and takes its time. For trying the service out. */
final class SimulatedOrchestrator implements Orchestrator {
    private final Duration buildTime;
    private final Executor workers;

    SimulatedOrchestrator(Duration buildTime, Executor workers) {
        this.buildTime = buildTime;
        this.workers = workers;
    }

    @Override
    public CompletionStage<Work> deploy(Claim claim, Slug slug, Optional<AttemptId> takenOverFrom, Pulse pulse) {
        // The name is reserved for examples (RFC 2606): nobody is sent to a stranger's site.
        URI url = URI.create("https://" + slug.value() + ".example");
        return CompletableFuture.supplyAsync(
                () -> new Work.Ended(new Ending.Live(url)),
                CompletableFuture.delayedExecutor(buildTime.toNanos(), TimeUnit.NANOSECONDS, workers));
    }
}
