package io.holdfast.app.race;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands for the host that builds: it does what it is told, and counts. Only what came in over HTTP is counted, so a
 * contender cannot be wrong about it.
 *
 * <p>A build answers when it is over. It is over when the conductor says so, and not after some time: so it lasts until the
 * last contender has come, however slow the machine is. Thread-safe.
 */
final class CountingOrchestrator implements AutoCloseable {
    /** The answer to a build that is over. */
    static final int OVER = 204;

    private static final int UNKNOWN_PATH = 404;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(Threads.daemons("orchestrator"));
    private final Map<String, Site> sites = new ConcurrentHashMap<>();

    /** Where one app is built. */
    private static final class Site {
        final List<String> arrived = new ArrayList<>();
        final CompletableFuture<Void> over = new CompletableFuture<>();

        synchronized void arrive(String deployment) {
            arrived.add(deployment);
            notifyAll();
        }

        synchronized List<String> arrived() {
            return List.copyOf(arrived);
        }

        synchronized boolean await(Collection<String> deployments, Duration atMost) throws InterruptedException {
            long end = System.nanoTime() + atMost.toNanos();
            while (!arrived.containsAll(deployments)) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        }
    }

    private CountingOrchestrator(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::build);
        server.start();
    }

    /** Listens on a free port of this machine. */
    static CountingOrchestrator start() throws IOException {
        return new CountingOrchestrator(
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    URI address() {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** The deployments of the app that have arrived, in that order; one that arrived twice is there twice. */
    List<String> arrived(String app) {
        return site(app).arrived();
    }

    /**
     * Waits until these deployments have arrived: whoever says "started" has sent its call, which may be on its way.
     *
     * @return false if they have not, in this time
     */
    boolean await(String app, Collection<String> deployments, Duration atMost) throws InterruptedException {
        return site(app).await(deployments, atMost);
    }

    /** Ends the builds of the app; those that arrive later end at once. */
    void end(String app) {
        site(app).over.complete(null);
    }

    /** Counts no more for the app. */
    void forget(String app) {
        sites.remove(app);
    }

    private Site site(String app) {
        return sites.computeIfAbsent(app, a -> new Site());
    }

    private void build(HttpExchange exchange) {
        // /apps/{app}/deployments/{id}
        String[] path = exchange.getRequestURI().getPath().split("/", -1);
        if (path.length != 5) {
            answer(exchange, UNKNOWN_PATH);
            return;
        }
        Site site = site(path[2]);
        site.arrive(path[4]);
        // No thread waits with the build: hundreds of slow ones may be running.
        var unused = site.over.thenRunAsync(() -> answer(exchange, OVER), threads);
    }

    private static void answer(HttpExchange exchange, int status) {
        try (exchange) {
            // A connection that is kept may be closed by us while the next call is on its way.
            exchange.getResponseHeaders().set("Connection", "close");
            exchange.sendResponseHeaders(status, -1);
        } catch (IOException e) {
            // Whoever asked is gone; what arrived has been counted.
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
