package io.holdfast.app.serve;

import io.holdfast.Budget;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.app.Backend;
import io.holdfast.app.StoreAddress;
import io.holdfast.contract.FaultProxy;
import io.holdfast.refresh.TokenKeys;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Services as the tests want them, and all their clients at once. */
final class Nodes {
    static final Budget BUDGET = Budget.of(Duration.ofSeconds(5));

    private Nodes() {}

    /** A new database of their own. */
    static Backend open(Path folder) {
        Backend backend = Backend.open(StoreAddress.parse("embedded"), folder, "holdfast_", BUDGET);
        backend.prepare();
        return backend;
    }

    /** The same database, behind something that can keep it away. */
    static Backend through(FaultProxy proxy, Backend backend, Path folder) {
        URI real = URI.create(backend.url().substring("jdbc:".length()));
        String url = backend.url().replace(":" + real.getPort() + "/", ":" + proxy.port() + "/");
        return Backend.open(StoreAddress.parse(url), folder, "holdfast_", Budget.of(Duration.ofSeconds(1)));
    }

    static Service.Settings settings(Duration limit, int mostBuilds, Optional<Tokens> tokens) {
        return settings(limit, mostBuilds, tokens, Optional.empty());
    }

    static Service.Settings settings(
            Duration limit, int mostBuilds, Optional<Tokens> tokens, Optional<TokenKeys> keys) {
        return new Service.Settings(
                "127.0.0.1",
                0,
                new Holder("test"),
                limit.dividedBy(10),
                SilenceLimit.of(limit),
                BUDGET,
                Duration.ofSeconds(30),
                mostBuilds,
                tokens,
                keys,
                Optional.empty());
    }

    static Service.Settings cleaning(Service.Settings some, CleanUp.Plan plan) {
        return new Service.Settings(
                some.host(),
                some.port(),
                some.me(),
                some.beat(),
                some.limit(),
                some.budget(),
                some.drain(),
                some.mostBuilds(),
                some.tokens(),
                some.keys(),
                Optional.of(plan));
    }

    static Outside simulated() {
        return new Outside(
                new SimulatedOrchestrator(Duration.ZERO, Runnable::run),
                new SimulatedReleaser(Duration.ZERO),
                new SimulatedWriter());
    }

    /** Sends all at once. */
    static <R> List<R> atOnce(int many, Callable<R> request) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(many);
        try {
            CyclicBarrier barrier = new CyclicBarrier(many);
            List<Future<R>> sent = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                sent.add(threads.submit(() -> {
                    barrier.await();
                    return request.call();
                }));
            }
            List<R> answers = new ArrayList<>();
            for (Future<R> answer : sent) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            threads.shutdownNow();
        }
    }
}
