package io.holdfast.contract.fault;

import com.github.dockerjava.api.DockerClient;
import io.holdfast.contract.Breakable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/**
 * A database server in a container that no other test uses. Register it as a static extension, before what connects to it.
 *
 * <p>Its clock is moved by libfaketime. What loads it is a file in the container, written when the clock is first moved, and
 * not the environment from the beginning: MySQL asks for the time so often that making its tables takes ten times as long.
 */
public final class OwnContainer implements BeforeAllCallback, AfterAllCallback, Breakable {
    /** Says whether the server answers. */
    @FunctionalInterface
    public interface Knock {
        void at(String host, int port) throws Exception;
    }

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Official images do not have it; the images of Debian and of Oracle's Linux get it from their own packages. */
    private static final String INSTALL_CLOCK = """
            find_it() { find / -xdev -name libfaketime.so.1 | head -n 1; }
            if [ -z "$(find_it)" ]; then
              if command -v apt-get; then apt-get update && apt-get install -y libfaketime
              else microdnf install -y oracle-epel-release-el9 && microdnf install -y libfaketime
              fi
            fi >&2
            echo +0 >/tmp/clock
            test -n "$(find_it)" && find_it >/etc/ld.so.preload""";

    private final GenericContainer<?> container;
    private final String image;
    private final Knock knock;
    private final int port;
    private boolean hasClock;

    /**
     * @param variable of the environment, which may name another image
     * @param inside the server's port in the container
     * @param command and its options; none: the image's own
     */
    public OwnContainer(
            String variable, String image, int inside, List<String> environment, Knock knock, String... command) {
        this.image = System.getenv().getOrDefault(variable, image);
        this.knock = knock;
        this.port = freePort();
        this.container = new GenericContainer<>(this.image);
        // Docker would give it another one when it starts again.
        container.setPortBindings(List.of(port + ":" + inside));
        container.setEnv(environment);
        if (command.length > 0) {
            container.setCommand(command);
        }
        container
                .withEnv("FAKETIME_TIMESTAMP_FILE", "/tmp/clock")
                .withEnv("FAKETIME_NO_CACHE", "1")
                // Or waits would end when the clock moves, and not when their time is over.
                .withEnv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                // Which one process makes as root, and then goes on as somebody who may not open it.
                .withEnv("FAKETIME_DISABLE_SHM", "1")
                .waitingFor(new AbstractWaitStrategy() {
                    @Override
                    protected void waitUntilReady() {
                        awaitAnswer();
                    }
                });
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        try {
            container.start();
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "there is no server to break: these tests start one in a container, of the image " + image
                            + "; have Docker running, and able to get it. ./verify sees to that",
                    e);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        container.stop();
    }

    public String host() {
        return container.getHost();
    }

    public int port() {
        return port;
    }

    @Override
    public void kill() {
        docker().killContainerCmd(container.getContainerId()).withSignal("KILL").exec();
        await("dead", () -> !isRunning());
    }

    @Override
    public void start() {
        docker().startContainerCmd(container.getContainerId()).exec();
        awaitAnswer();
    }

    @Override
    public boolean isRunning() {
        return Boolean.TRUE.equals(docker().inspectContainerCmd(container.getContainerId())
                .exec()
                .getState()
                .getRunning());
    }

    private DockerClient docker() {
        return container.getDockerClient();
    }

    private void awaitAnswer() {
        await("answering", () -> {
            try {
                knock.at(host(), port);
                return true;
            } catch (Exception e) {
                return false;
            }
        });
    }

    /** Returns when the server is {@code what}, as the condition tells. */
    public void await(String what, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new IllegalStateException(
                        "the server is not " + what + " after " + PATIENCE.toSeconds() + " s:\n" + container.getLogs());
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    @Override
    public void setClock(Duration ahead) {
        if (!hasClock) {
            try {
                run(INSTALL_CLOCK);
            } catch (IllegalStateException e) {
                throw new IllegalStateException(
                        "the clock of a server in %s cannot be moved: it needs libfaketime in the image, or its system's packages within reach"
                                .formatted(image),
                        e);
            }
            kill();
            start();
            hasClock = true;
        }
        // In one step: whoever reads half a file takes it for a mistake, and ends.
        run("echo %+d >/tmp/clock.new && mv /tmp/clock.new /tmp/clock".formatted(ahead.toSeconds()));
    }

    /** Runs a script of its shell in it, and returns what that has printed. */
    public String run(String script) {
        try {
            ExecResult result = container.execInContainer("sh", "-c", script);
            if (result.getExitCode() != 0) {
                throw new IllegalStateException(
                        "in a container of %s, %s: %s".formatted(image, script, result.getStderr()));
            }
            return result.getStdout();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while something is done to a server", e);
        }
    }
}
