package io.holdfast.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.app.Backend;
import io.holdfast.app.StoreAddress;
import io.holdfast.app.serve.Client.Answer;
import io.holdfast.contract.FaultProxy;
import io.holdfast.refresh.TokenKeys;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refresh tokens over HTTP, on a real database. */
class RefreshServiceTest {
    private static final byte[] OLD_KEY = "an old key of thirty-two bytes..".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEY = "another key of thirty-two bytes.".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private static Path folder;

    private static Backend backend;
    private static Service service;
    private static Client client;

    @BeforeAll
    static void start() {
        backend = Nodes.open(folder);
        service = start(backend, Optional.of(TokenKeys.of(KEY, OLD_KEY)));
        client = new Client(service.port());
    }

    @AfterAll
    static void stop() {
        service.close();
        backend.close();
    }

    private static Service start(Backend on, Optional<TokenKeys> keys) {
        return Service.start(
                Ports.of(on), Nodes.simulated(), Nodes.settings(Duration.ofSeconds(60), 100, Optional.empty(), keys));
    }

    private static Answer open(Client at, String terms) throws Exception {
        Answer opened = at.post("/refresh-families", terms);
        assertThat(opened.status()).as(opened.toString()).isEqualTo(201);
        assertThat(opened.header("Cache-Control")).isEqualTo("no-store");
        assertThat(opened.text("refresh_token")).matches("hfr_[A-Za-z0-9_-]{80}");
        return opened;
    }

    private static String opened(String terms) throws Exception {
        return open(client, terms).text("refresh_token");
    }

    private static Answer refresh(String token) throws Exception {
        return form("/refresh", "grant_type=refresh_token&refresh_token=" + token);
    }

    private static Answer form(String path, String form) throws Exception {
        return client.send(client.request(path, "Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build());
    }

    private static String refreshed(String token) throws Exception {
        Answer answer = refresh(token);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        return answer.text("refresh_token");
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(new String(answer.raw().body(), StandardCharsets.UTF_8)).isEqualTo("{\"error\":\"invalid_grant\"}");
    }

    @Test
    void threeTabsGetOneSuccessorAndAgainWithinTheGrace() throws Exception {
        Answer family = open(client, "{}");
        String first = family.text("refresh_token");
        List<Answer> tabs = Nodes.atOnce(3, () -> refresh(first));
        assertThat(tabs).extracting(Answer::status).containsOnly(200);
        assertThat(tabs).extracting(answer -> answer.text("refresh_token")).containsOnly(refreshed(first));
        assertThat(tabs).extracting(answer -> answer.text("family")).containsOnly(family.text("family"));
        assertThat(refreshed(tabs.get(0).text("refresh_token"))).isNotEqualTo(first);
    }

    @Test
    void aTokenComesInAFormOrAsJson() throws Exception {
        String second = refreshed(URLEncoder.encode(opened("{}"), StandardCharsets.UTF_8));
        Answer third =
                client.post("/refresh", "{\"grant_type\": \"refresh_token\", \"refresh_token\": \"" + second + "\"}");
        assertThat(third.status()).isEqualTo(200);
    }

    @Test
    void aSpentTokenEndsItsWholeFamily() throws Exception {
        String first = opened("{\"graceMs\": 1}");
        String second = refreshed(first);
        Eventually.seen("the end of its grace", () -> refresh(first), answer -> answer.status() == 400);
        assertRefused(refresh(second));
    }

    /** Unknown, forged, of a family that is not here, expired, revoked, overtaken, used again: all the same, but for the date. */
    @Test
    void anOutsiderLearnsNothingOfWhy() throws Exception {
        String genuine = opened("{}");
        String forged = genuine.substring(0, genuine.length() - 1) + (genuine.endsWith("-") ? "_" : "-");
        String overtaken = opened("{}");
        refreshed(refreshed(overtaken));
        String expired = opened("{\"tokenValidMs\": 1, \"graceMs\": 1}");
        String revoked = opened("{}");
        form("/refresh/revocations", "token=" + revoked);
        String reused = opened("{\"graceMs\": 1}");
        refreshed(reused);
        String elsewhere;
        try (Backend other = Backend.open(StoreAddress.parse(backend.url()), folder, "other_", Nodes.BUDGET)) {
            other.prepare();
            try (Service there = start(other, Optional.of(TokenKeys.of(KEY)))) {
                elsewhere = open(new Client(there.port()), "{}").text("refresh_token");
            }
        }
        Eventually.seen("the end of its grace", () -> refresh(reused), answer -> answer.status() == 400);
        List<Map<String, List<String>>> headers = new ArrayList<>();
        for (String token : List.of("x", forged, overtaken, expired, revoked, reused, elsewhere)) {
            long began = System.nanoTime();
            Answer answer = refresh(token);
            // Those that are found out without the database are not answered sooner.
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(99));
            assertRefused(answer);
            Map<String, List<String>> seen =
                    new TreeMap<>(answer.raw().headers().map());
            seen.remove("date");
            headers.add(seen);
        }
        assertThat(headers).containsOnly(headers.get(0));
        assertThat(refresh(overtaken).status()).as("that one was no misuse").isEqualTo(400);
    }

    @Test
    void aRevocationIsAlwaysWell() throws Exception {
        Answer family = open(client, "{}");
        String token = family.text("refresh_token");
        for (String form : new String[] {"token=nothing", "token=" + token, "token=" + token + "&token_type_hint=x"}) {
            assertThat(form("/refresh/revocations", form).status()).isEqualTo(200);
        }
        assertRefused(refresh(token));
        Answer other = open(client, "{}");
        Answer ended = client.send(client.request("/refresh-families/" + other.text("family"))
                .DELETE()
                .build());
        assertThat(ended.status()).isEqualTo(200);
        assertThat(ended.text("state")).isEqualTo("revoked");
        assertRefused(refresh(other.text("refresh_token")));
        assertThat(client.send(client.request("/refresh-families/" + UUID.randomUUID())
                                .DELETE()
                                .build())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aTokenOfAnOlderKeyIsRefreshedIntoOneOfTheNewKey() throws Exception {
        try (Service before = start(backend, Optional.of(TokenKeys.of(OLD_KEY)));
                Service after = start(backend, Optional.of(TokenKeys.of(KEY)))) {
            String old = open(new Client(before.port()), "{}").text("refresh_token");
            String json = "{\"grant_type\": \"refresh_token\", \"refresh_token\": \"";
            assertRefused(new Client(after.port()).post("/refresh", json + old + "\"}"));
            assertThat(new Client(after.port())
                            .post("/refresh", json + refreshed(old) + "\"}")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void withoutAKeyEveryRouteSaysHowToGetOne() throws Exception {
        try (Service keyless = start(backend, Optional.empty())) {
            Client at = new Client(keyless.port());
            for (Answer answer : List.of(
                    at.post("/refresh-families", "{}"),
                    at.post("/refresh", "{\"grant_type\": \"refresh_token\", \"refresh_token\": \"x\"}"),
                    at.post("/refresh/revocations", "{\"token\": \"x\"}"),
                    at.send(at.request("/refresh-families/" + UUID.randomUUID())
                            .DELETE()
                            .build()))) {
                assertThat(answer.status()).isEqualTo(501);
                assertThat(answer.problem()).isEqualTo("no_refresh_key");
                assertThat(answer.text("detail")).contains("openssl rand", "--refresh-key-files");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unsupported_grant_type | unsupported_grant_type | refresh_token=x",
                "unsupported_grant_type | unsupported_grant_type | grant_type=password&refresh_token=x",
                "token_is_missing       | invalid_request        | grant_type=refresh_token",
                "token_is_missing       | invalid_request        | grant_type=refresh_token&token=x",
                "malformed_request      | ''                     | grant_type=refresh_token&refresh_token=x&refresh_token=y",
                "malformed_request      | ''                     | grant_type=%zz",
            })
    void whatIsNoRequestIsToldSo(String problem, String error, String form) throws Exception {
        Answer refused = form("/refresh", form);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo(problem);
        assertThat(refused.text("error")).isEqualTo(error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"graceMs\": 0}",
                "{\"tokenValidMs\": -1}",
                "{\"familyValidMs\": 31536000001}",
                "{\"graceMs\": 2000, \"tokenValidMs\": 1000}",
                "{\"tokenValidMs\": 2000, \"graceMs\": 5, \"familyValidMs\": 1000}",
                "{\"familyValidMs\": \"1\"}",
                "{\"grace\": 1}",
            })
    void badTermsAreRefused(String terms) throws Exception {
        assertThat(client.post("/refresh-families", terms).problem()).isEqualTo("invalid_request");
    }

    @Test
    void withoutADatabaseNoTokenIsGoodOrBad() throws Exception {
        URI real = URI.create(backend.url().substring("jdbc:".length()));
        String token = opened("{}");
        try (FaultProxy proxy = new FaultProxy(real.getHost(), real.getPort());
                Backend far = Nodes.through(proxy, backend, folder);
                Service cut = start(far, Optional.of(TokenKeys.of(KEY)))) {
            Client caller = new Client(cut.port());
            proxy.set(FaultProxy.Mode.REFUSE);
            Answer away = caller.post(
                    "/refresh", "{\"grant_type\": \"refresh_token\", \"refresh_token\": \"" + token + "\"}");
            assertThat(away.status()).isEqualTo(503);
            assertThat(away.problem()).isEqualTo("store_unavailable");
            assertThat(away.toString()).doesNotContain(token);
            Answer opened = caller.post("/refresh-families", "{}");
            assertThat(opened.status()).isEqualTo(503);
            assertThat(opened.text("leftBehind")).isIn("nothing", "maybe_a_family");
            proxy.set(FaultProxy.Mode.PASS);
        }
        refreshed(token);
    }
}
