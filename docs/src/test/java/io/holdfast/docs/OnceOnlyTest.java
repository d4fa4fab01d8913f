package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.NotDone;
import io.holdfast.postgres.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The guide's other services, on a real database. */
class OnceOnlyTest {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static OnceOnly service;

    @BeforeAll
    static void open() {
        service = new OnceOnly(SERVER.pool(), SERVER.pool(), new byte[32]);
    }

    @Test
    void theJobRunsOnceEvenIfItIsFast() {
        assertThat(service.importPrices(List.of("a", "b"))).isEqualTo("2 pages");
        assertThat(service.importPrices(List.of("a", "b"))).isEqualTo("left to api-1");
    }

    @Test
    void aSaveThatIsSentTwiceIsSavedOnce() throws NotDone {
        String token = service.open();
        byte[] content = "text".getBytes(StandardCharsets.UTF_8);
        assertThat(service.save(token, content)).isEqualTo("200 version 1");
        assertThat(service.save(token, content)).isEqualTo("200 replayed: version 1");
        assertThat(service.save(token, new byte[0])).startsWith("422 ");
    }

    @Test
    void twoTabsGetTheSameSuccessor() {
        String token = service.login();
        String successor = service.refresh(token);
        assertThat(service.refresh(token)).isEqualTo(successor).isNotEqualTo(token);
        assertThat(service.refresh(token.substring(1))).isEqualTo("400 invalid_grant");
    }

    @Test
    void theSecondOperatorIsToldWhatTheFirstOneDid() {
        String imposed = service.ban("eve", "spam", "ann");
        assertThat(imposed).startsWith("201 ");
        assertThat(service.ban("eve", "scam", "bob")).isEqualTo("409 ann was first: spam");
        assertThat(service.lift("eve", imposed.substring("201 ".length()), "bob"))
                .isEqualTo("200 lifted");
        assertThat(service.ban("eve", "scam", "bob")).startsWith("201 ");
    }
}
