package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.contract.FaultProxy.Strike;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the proxy does to a message is what it says that it does. */
@Timeout(60)
final class FaultProxyTest {
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private ServerSocket server;
    private FaultProxy proxy;
    private Socket client;

    /** Says back what it hears, and remembers it. */
    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread echo = new Thread(() -> {
            try (Socket connection = server.accept()) {
                byte[] bytes = new byte[100];
                for (int n = connection.getInputStream().read(bytes);
                        n >= 0;
                        n = connection.getInputStream().read(bytes)) {
                    heard.add(new String(bytes, 0, n, StandardCharsets.US_ASCII));
                    connection.getOutputStream().write(bytes, 0, n);
                }
            } catch (IOException e) {
                heard.add("reset");
            }
        });
        echo.setDaemon(true);
        echo.start();
        proxy = new FaultProxy("localhost", server.getLocalPort());
        client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        assertThat(ask("hello")).isEqualTo("hello");
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        proxy.close();
        server.close();
    }

    private String ask(String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return new String(client.getInputStream().readNBytes(text.length()), StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @EnumSource(
            value = Strike.class,
            names = {"REPLY_LOST", "REPLY_CUT"})
    void aRequestWhoseReplyIsLostIsHeard(Strike strike) {
        proxy.strike(1, strike);
        assertThatThrownBy(() -> assertThat(ask("request")).isEqualTo("request"));
        assertThat(proxy.struck()).isTrue();
        assertThat(heard).contains("request");
    }

    @ParameterizedTest
    @EnumSource(
            value = Strike.class,
            names = {"REQUEST_LOST", "REQUEST_CUT"})
    void aRequestThatIsLostIsNotHeardAsAWhole(Strike strike) {
        proxy.strike(1, strike);
        assertThatThrownBy(() -> assertThat(ask("request")).isEqualTo("request"));
        assertThat(proxy.struck()).isTrue();
        assertThat(heard).doesNotContain("request");
    }

    @Test
    void onlyTheNthRequestIsStruck() throws IOException {
        proxy.strike(2, Strike.REQUEST_LOST);
        assertThat(ask("first")).isEqualTo("first");
        assertThat(proxy.struck()).isFalse();
        assertThatThrownBy(() -> assertThat(ask("second")).isEqualTo("second"));
        assertThat(heard).containsExactly("hello", "first");
    }

    @Test
    void aLateRequestIsHeardWhenItsClientHasLongGone() throws IOException {
        proxy.strike(1, Strike.REQUEST_LATE);
        client.getOutputStream().write("late".getBytes(StandardCharsets.US_ASCII));
        while (!proxy.struck()) {
            Thread.onSpinWait();
        }
        client.close();
        assertThat(heard).containsExactly("hello");
        proxy.deliver();
        assertThat(heard).contains("late");
    }
}
