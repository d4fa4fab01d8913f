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
 * Stands for the host that does what may be done but once: it builds, writes, releases, mails as it is told, and counts.
 * Only what came in over HTTP is counted, so a contender cannot be wrong about it.
 *
 * <p>An effect answers when it is over. It is over when the conductor says so, and not after some time: so it lasts until the
 * last contender has come, however slow the machine is. Thread-safe.
 */
final class CountingOrchestrator implements AutoCloseable {
    /** The answer to what is over. */
    static final int OVER = 204;

    private static final int UNKNOWN_PATH = 404;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(Threads.daemons("orchestrator"));
    private final Map<String, Site> sites = new ConcurrentHashMap<>();

    /** Where the effects of one key arrive. */
    private static final class Site {
        final List<String> arrived = new ArrayList<>();
        final CompletableFuture<Void> over = new CompletableFuture<>();

        synchronized void arrive(String effect) {
            arrived.add(effect);
            notifyAll();
        }

        synchronized List<String> arrived() {
            return List.copyOf(arrived);
        }

        synchronized boolean await(Collection<String> effects, Duration atMost) throws InterruptedException {
            long end = System.nanoTime() + atMost.toNanos();
            while (!arrived.containsAll(effects)) {
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
        server.createContext("/", this::start);
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

    /** The effects that have arrived, in that order; one that arrived twice is there twice. */
    List<String> arrived(String key) {
        return site(key).arrived();
    }

    /**
     * Waits until these effects have arrived: whoever says "started" has sent its call, which may be on its way.
     *
     * @return false if they have not, in this time
     */
    boolean await(String key, Collection<String> effects, Duration atMost) throws InterruptedException {
        return site(key).await(effects, atMost);
    }

    /** Ends them; those that arrive later end at once. */
    void end(String key) {
        site(key).over.complete(null);
    }

    /** Counts no more for the key. */
    void forget(String key) {
        sites.remove(key);
    }

    private Site site(String key) {
        return sites.computeIfAbsent(key, any -> new Site());
    }

    private void start(HttpExchange exchange) {
        // /{key}/{effect}
        String[] path = exchange.getRequestURI().getPath().split("/", -1);
        if (path.length != 3) {
            answer(exchange, UNKNOWN_PATH);
            return;
        }
        Site site = site(path[1]);
        site.arrive(path[2]);
        // No thread waits with the caller: hundreds of slow effects may be running.
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
