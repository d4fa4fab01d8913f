package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** What a client of the service sees. */
final class Client {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** An answer, its body read as JSON. */
    record Answer(int status, HttpResponse<byte[]> raw, JsonNode body) {
        String header(String name) {
            return raw.headers().firstValue(name).orElse("");
        }

        String text(String member) {
            return body.path(member).asText();
        }

        /** The last part of the problem's type; empty if it is none. */
        String problem() {
            boolean problem = header("Content-Type").startsWith("application/problem+json");
            return problem ? text("type").replace("urn:holdfast:problem:", "") : "";
        }

        @Override
        public String toString() {
            return status + " " + body;
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();
    private final String base;

    Client(int port) {
        this.base = "http://localhost:" + port;
    }

    /** Header names and values by turns. */
    Answer publish(String app, String slug, String... headers) throws IOException, InterruptedException {
        return post("/apps/" + app + "/publishes", "{\"slug\": \"" + slug + "\"}", headers);
    }

    Answer post(String path, String json, String... headers) throws IOException, InterruptedException {
        return post(path, json.getBytes(StandardCharsets.UTF_8), headers);
    }

    Answer post(String path, byte[] json, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path, headers).POST(BodyPublishers.ofByteArray(json));
        return send(request.setHeader("Content-Type", "application/json").build());
    }

    Answer get(String path, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers).GET().build());
    }

    HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    Answer send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<byte[]> raw = http.send(request, BodyHandlers.ofByteArray());
        return new Answer(raw.statusCode(), raw, MAPPER.readTree(raw.body()));
    }
}
