package io.holdfast.app.race;

import io.holdfast.Budget;
import io.holdfast.app.Backend;
import io.holdfast.app.StoreAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * What a run needs: a store with tables of the run's own, the orchestrator, and the processes. Leaves nothing behind when it
 * is closed. For one thread, but for the getters.
 */
final class Arena implements AutoCloseable {
    /** Longer than any run: the tables of a run that began before that are nobody's. */
    private static final Duration ABANDONED = Duration.ofHours(24);

    private static final Duration CONTENDERS_START = Duration.ofSeconds(60);

    private final Consumer<String> notice;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<ContenderProcess> contenders = new ArrayList<>();

    private final Backend backend;
    private final String store;
    private final CountingOrchestrator orchestrator;
    private final ContenderProcess owner;

    /**
     * Opens all of it.
     *
     * @param main the program of the contenders
     * @param notice is told, in words, what a person should know
     * @throws io.holdfast.app.CannotStart if the store cannot be opened
     * @throws RuntimeException if the store, or this machine, does not do what is asked of it
     */
    Arena(StoreAddress address, int count, Class<?> main, Consumer<String> notice)
            throws IOException, InterruptedException {
        this.notice = notice;
        try {
            Path data = Path.of("");
            if (address.kind() == StoreAddress.Kind.EMBEDDED) {
                data = Files.createTempDirectory("holdfast-race-");
                Path folder = data;
                open.push(() -> Backend.removeEmbedded(folder));
            }
            String prefix = RunTables.newPrefix();
            backend = Backend.open(address, data, prefix, Budget.DEFAULT);
            open.push(backend);
            store = backend.describe();
            RunTables tables = new RunTables(backend);
            dropAbandoned(tables, prefix);
            open.push(() -> drop(tables, prefix));
            backend.migrate();
            backend.check();
            OrdinaryTables.on(backend, prefix).create();
            orchestrator = CountingOrchestrator.start();
            open.push(orchestrator);
            List<CompletableFuture<Answer>> ready = new ArrayList<>();
            for (int i = 0; i <= count; i++) {
                CompletableFuture<Answer> one = new CompletableFuture<>();
                boolean isOwner = i == 0;
                Setup setup = new Setup(
                        isOwner ? "owner" : "contender " + i,
                        backend.url(),
                        prefix,
                        orchestrator.address(),
                        isOwner ? data.toString() : "");
                contenders.add(ContenderProcess.start(main, setup, one));
                open.push(contenders.get(i));
                ready.add(one);
            }
            owner = contenders.remove(0);
            for (CompletableFuture<Answer> one : ready) {
                ContenderProcess.await(one, CONTENDERS_START);
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private void dropAbandoned(RunTables tables, String mine) {
        tables.others(mine).forEach((prefix, age) -> {
            if (age.compareTo(ABANDONED) > 0) {
                tables.drop(prefix);
                notice.accept("dropped the tables " + prefix + "* of a run that was killed " + age.toDays() + " d ago");
            } else {
                notice.accept("another run, which began " + age.toMinutes() + " min ago, has tables here: " + prefix
                        + "*. If it was killed, drop them; a race that starts " + ABANDONED.toHours()
                        + " h after it will.");
            }
        });
    }

    private void drop(RunTables tables, String prefix) {
        try {
            tables.drop(prefix);
        } catch (RuntimeException e) {
            notice.accept("could not drop the tables " + prefix + "* of this run: " + e.getMessage()
                    + ". Drop them by hand.");
        }
    }

    /** In the order in which they come. */
    List<ContenderProcess> contenders() {
        return contenders;
    }

    /** The process that was there before: it prepares what the others come for, and runs what is slow. */
    ContenderProcess owner() {
        return owner;
    }

    CountingOrchestrator orchestrator() {
        return orchestrator;
    }

    /** The store itself, to be asked what it says. */
    Backend backend() {
        return backend;
    }

    /** Engine and version. */
    String store() {
        return store;
    }

    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                notice.accept("something was left behind: " + e.getMessage());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
