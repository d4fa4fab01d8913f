package io.holdfast.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.app.serve.Client.Answer;
import io.holdfast.app.serve.TestOrchestrator.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program as people start it: killed, terminated, slow. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ProgramTest {
    @TempDir
    private Path folder;

    private static Answer seen(Client client, String id, String state) throws Exception {
        return Eventually.seen(
                state,
                () -> client.get("/deployments/" + id),
                answer -> answer.text("state").equals(state));
    }

    @Test
    void afterAKillTheAppIsInProgressUntilTheLimitAndThenTakenOver() throws Exception {
        try (TestOrchestrator orchestrator = new TestOrchestrator()) {
            String[] options = {"--orchestrator", orchestrator.url(), "--beat", "1s", "--silence-limit", "20s"};
            String killed;
            try (Program first = Program.serve(folder, options)) {
                killed = first.client().publish("shop", "shop").text("id");
                orchestrator.orderFor("shop");
                first.kill();
            }
            try (Program second = Program.serve(folder, options)) {
                Client client = second.client();
                assertThat(second.output()).contains("stopping the PostgreSQL that an earlier run left behind");
                Answer refused = client.publish("shop", "shop");
                assertThat(refused.problem()).isEqualTo("publish_in_progress");
                assertThat(refused.text("runningDeploymentId")).isEqualTo(killed);
                assertThat(refused.body().path("takeableInMs").asLong()).isBetween(1L, 20_000L);

                Answer won = Eventually.seen(
                        "a take-over", () -> client.publish("shop", "shop"), answer -> answer.status() == 202);
                assertThat(won.text("takenOverFrom")).isEqualTo(killed);
                Order order = Eventually.seen(
                                "the second order", () -> orchestrator.ordersFor("shop"), orders -> orders.size() > 1)
                        .get(1);
                assertThat(order.body().path("takenOverFrom").asText()).isEqualTo(killed);
                order.live();
                seen(client, won.text("id"), "live");
                assertThat(client.get("/deployments/" + killed).text("takenOverBy"))
                        .isEqualTo(won.text("id"));
            }
            assertThat(orchestrator.orders()).hasSize(2);
        }
    }

    @Test
    void aSlowBuildThatBeatsIsNotTakenOver() throws Exception {
        try (Program program =
                Program.serve(folder, "--beat", "500ms", "--silence-limit", "6s", "--build-time", "15s")) {
            Client client = program.client();
            String id = client.publish("shop", "shop").text("id");

            // More than twice its limit: whoever asks meanwhile is told about it, and nothing else.
            Answer ended = Eventually.seen(
                    "its end",
                    () -> {
                        Answer other = client.publish("shop", "shop");
                        if (other.status() == 409) {
                            assertThat(other.text("runningDeploymentId")).isEqualTo(id);
                        }
                        return client.get("/deployments/" + id);
                    },
                    answer -> !answer.text("state").equals("building"));
            assertThat(ended.text("state")).isEqualTo("live");
            assertThat(ended.text("url")).isEqualTo("https://shop.example");
        }
    }

    @Test
    void aTerminatedProgramLetsItsBuildsEnd() throws Exception {
        String id;
        try (TestOrchestrator orchestrator = new TestOrchestrator()) {
            try (Program program = Program.serve(
                    folder,
                    "--orchestrator",
                    orchestrator.url(),
                    "--beat",
                    "200ms",
                    "--silence-limit",
                    "5s",
                    "--drain",
                    "1m")) {
                Client client = program.client();
                id = client.publish("shop", "shop").text("id");
                Order order = orchestrator.orderFor("shop");
                program.terminate();
                Eventually.seen("not ready", () -> client.get("/health/ready"), answer -> answer.status() == 503);
                Answer refused = client.publish("other", "other");
                assertThat(refused.problem()).isEqualTo("shutting_down");
                assertThat(refused.header("Retry-After")).isNotEmpty();
                assertThat(client.get("/deployments/" + id).text("state")).isEqualTo("building");
                order.live();
                program.ended();
                assertThat(program.output()).contains("stopped").doesNotContain("drain limit is over");
            }
            assertThat(folder.resolve("data/data/postmaster.pid")).doesNotExist();
            try (Program again = Program.serve(folder)) {
                assertThat(again.client().get("/deployments/" + id).text("state"))
                        .isEqualTo("live");
            }
            assertThat(orchestrator.orders()).hasSize(1);
        }
    }

    @Test
    void theDrainLimitEndsTheWait() throws Exception {
        try (TestOrchestrator orchestrator = new TestOrchestrator();
                Program program = Program.serve(folder, "--orchestrator", orchestrator.url(), "--drain", "500ms")) {
            program.client().publish("shop", "shop");
            orchestrator.orderFor("shop");
            program.terminate();
            program.ended();
            assertThat(program.output()).contains("the drain limit is over", "builds=\"1\"");
        }
    }

    @Test
    void aSecondProgramIsRefusedOnTheSameDataAndSharesItByUrl() throws Exception {
        try (Program first = Program.serve(folder, "--build-time", "1m", "--drain", "0s")) {
            String id = first.client().publish("shop", "shop").text("id");
            try (Program refused = Program.serve(folder)) {
                assertThat(refused.ended()).isEqualTo(1);
                assertThat(refused.output())
                        .contains("another program uses the data", "--store 'jdbc:postgresql://127.0.0.1:")
                        .doesNotContain(password());
                String url = refused.output().replaceFirst("(?s).*--store '(\\S+password=)'.*", "$1") + password();
                try (Program second = Program.serve(folder, "--store", url)) {
                    Answer lost = second.client().publish("shop", "shop");
                    assertThat(lost.problem()).isEqualTo("publish_in_progress");
                    assertThat(lost.text("runningDeploymentId")).isEqualTo(id);
                    assertThat(second.output()).doesNotContain(password());
                }
            }
        }
    }

    @Test
    void noSecretIsSaid() throws Exception {
        Path tokens = Files.writeString(folder.resolve("tokens"), "token-that-nobody-may-see\n");
        Path secret = Files.writeString(folder.resolve("secret"), "secret-that-nobody-may-see\n");
        try (TestOrchestrator orchestrator = new TestOrchestrator();
                Program program = Program.serve(
                        folder,
                        "--token-file",
                        tokens.toString(),
                        "--orchestrator",
                        orchestrator.url(),
                        "--webhook-secret-file",
                        secret.toString())) {
            Client client = program.client();
            String authorization = "Bearer token-that-nobody-may-see";
            assertThat(client.publish("shop", "shop", "Authorization", authorization)
                            .status())
                    .isEqualTo(202);
            assertThat(client.publish("shop", "shop", "Authorization", authorization + "x")
                            .status())
                    .isEqualTo(401);
            orchestrator.orderFor("shop").live();
            Eventually.seen("the end", program::output, output -> output.contains("deployment ended"));
            assertThat(program.output())
                    .contains("path=\"/apps/shop/publishes\"")
                    .doesNotContain("that-nobody-may-see", password());
        }
    }

    private String password() throws IOException {
        return Files.readString(folder.resolve("data/password"));
    }
}
