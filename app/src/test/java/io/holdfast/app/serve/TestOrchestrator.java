package io.holdfast.app.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An orchestrator over HTTP, or a releaser or a writer, which keeps every order that really arrived, and answers when it is told to. */
final class TestOrchestrator implements AutoCloseable {
    /** What arrived, and where its answer is to be put. */
    record Order(Headers headers, String raw, JsonNode body, CompletableFuture<Reply> reply) {
        String deployment() {
            return body.path("deployment").asText();
        }

        void live() {
            reply.complete(new Reply(200, "{\"state\": \"live\", \"url\": \"https://x.example\"}"));
        }
    }

    /** An answer. */
    record Reply(int status, String body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Order> orders = new CopyOnWriteArrayList<>();

    TestOrchestrator() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::take);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        String raw = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Order order = new Order(exchange.getRequestHeaders(), raw, json(raw), new CompletableFuture<>());
        orders.add(order);
        Reply reply = order.reply().join();
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static JsonNode json(String raw) {
        try {
            return new ObjectMapper().readTree(raw);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/deploy";
    }

    List<Order> orders() {
        return orders;
    }

    List<Order> ordersFor(String app) {
        return orders.stream()
                .filter(order -> order.body().path("app").asText().equals(app))
                .toList();
    }

    /** The next order for this app, as soon as it has arrived. */
    Order orderFor(String app) throws Exception {
        return Eventually.seen("an order for " + app, () -> ordersFor(app), found -> !found.isEmpty())
                .get(0);
    }

    /** The one order of this number, the first being 0, as soon as it has arrived. */
    Order order(int number) throws Exception {
        return Eventually.seen("an order", () -> orders, found -> found.size() > number)
                .get(number);
    }

    Webhook webhook(String name, Executor workers) {
        return new Webhook(name, URI.create(url()), Optional.empty(), Duration.ofSeconds(60), workers);
    }

    @Override
    public void close() {
        orders.forEach(order -> order.reply().complete(new Reply(500, "")));
        server.stop(0);
        threads.shutdown();
    }
}
