package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.postgres.PostgresServer;
import io.holdfast.postgres.PostgresStores;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployments;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The guide's service, on a real database. */
@Timeout(60)
class EmbeddingTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    @Test
    void theGuidesServicePublishesOnceAndAnswersARepeatedWishWithWhatItGot() {
        try (Embedding service = new Embedding(SERVER.pool(), SERVER.pool())) {
            String first = service.publish("shop", "shop", "key-1");
            assertThat(first).startsWith("202 follow ");
            String id = first.substring("202 follow ".length());
            untilLive("shop");

            assertThat(service.publish("shop", "shop", "key-1")).isEqualTo("200 it had its answer: " + id);
            assertThat(service.publish("shop", "other", "key-1")).isEqualTo("422 this key was used for the slug shop");
            assertThat(service.publish("shop", "other", "key-2")).isEqualTo("409 this app is live as shop");
            assertThat(service.publish("cafe", "shop", "key-1")).isEqualTo("409 choose another name than shop");
        }
    }

    private static void untilLive(String app) {
        Deployments deployments = PostgresStores.of(SERVER.pool()).deployments();
        while (Optional.empty().equals(deployments.live(AppId.of(app)))) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }
}
