package io.holdfast.app;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL of our own whose data stays in a folder between starts. The folder holds:
 *
 * <ul>
 *   <li>{@code lock}, locked by the program that uses the folder; the kernel lets go of it when that program dies,
 *   <li>{@code data}, the database itself, and {@code server.log}, what the server says,
 *   <li>{@code unfinished}, while the database is being made: a start that finds it makes the database anew,
 *   <li>{@code password} of the user postgres, for this user's eyes: a superuser without one would lend everybody on the
 *       machine the rights of the user who started us.
 * </ul>
 */
final class EmbeddedServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);

    /** Long, because the server may have a crash to recover from. */
    private static final Duration STARTUP_WAIT = Duration.ofMinutes(1);

    private static final String USER = "postgres";
    private static final String DATABASE = "postgres";

    private final FileChannel lock;
    private final EmbeddedPostgres server;
    private final String url;

    private EmbeddedServer(FileChannel lock, EmbeddedPostgres server, String url) {
        this.lock = lock;
        this.server = server;
        this.url = url;
    }

    /**
     * Starts the server of this folder, making both when they are missing.
     *
     * @throws CannotStart if another program uses the folder, or the server does not start
     */
    static EmbeddedServer start(Path folder) {
        Path home = folder.toAbsolutePath().normalize();
        try {
            createPrivate(home);
        } catch (IOException e) {
            throw new CannotStart("the folder " + home + " cannot be made: choose another one with --data", e);
        }
        try {
            FileChannel lock = lock(home);
            try {
                stopLeftOver(home);
                return launch(home, lock);
            } catch (IOException | SQLException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (CannotStart e) {
            throw e;
        } catch (IOException | SQLException | RuntimeException e) {
            throw new CannotStart(
                    "the embedded PostgreSQL in " + home + " does not start: " + e.getMessage() + advice(home), e);
        }
    }

    /**
     * Stops the server of a program that was killed, and deletes the folder.
     *
     * @throws CannotStart if another program uses the folder
     */
    static void remove(Path folder) throws IOException {
        Path home = folder.toAbsolutePath().normalize();
        if (!Files.isDirectory(home)) {
            return;
        }
        try (FileChannel lock = lock(home)) {
            LOG.debug("{} is nobody's: {}", home, lock);
            stopLeftOver(home);
            delete(home);
        }
    }

    private static String advice(Path home) {
        String log =
                "\nIts own words are in " + home.resolve("server.log") + ". Another database will do as well: --store";
        return isRoot() && !LinuxUtils.isUnshareAvailable()
                ? "\nPostgreSQL does not run as root, and this machine does not let us drop root by a user namespace: start"
                        + " as another user." + log
                : log;
    }

    /** How any process of this user reaches the server. With the password. */
    String url() {
        return url;
    }

    /** Stops the server; whoever is still connected is cut off. */
    @Override
    public void close() throws IOException {
        try {
            server.close();
        } finally {
            lock.close();
        }
    }

    private static void createPrivate(Path home) throws IOException {
        if (!Files.isDirectory(home)) {
            Files.createDirectories(home);
            restrict(home, "rwx------");
        }
    }

    private static void restrict(Path path, String permissions) throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        }
    }

    private static FileChannel lock(Path home) throws IOException {
        FileChannel channel =
                FileChannel.open(home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = null;
        try {
            held = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            LOG.debug("locked by this very process");
        }
        if (held == null) {
            channel.close();
            throw new CannotStart("another program uses the data in " + home + ". To share its database: --store '"
                    + address(port(home).map(String::valueOf).orElse("PORT")) + "&password='$(cat "
                    + home.resolve("password") + "). To have another one: --data DIR");
        }
        return channel;
    }

    private static String address(String port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE + "?user=" + USER;
    }

    private static Path data(Path home) {
        return home.resolve("data");
    }

    /** Line {@code number} of the file that a running server keeps. */
    private static Optional<Long> pidFile(Path home, int number) {
        try {
            List<String> lines = Files.readAllLines(data(home).resolve("postmaster.pid"));
            return Optional.of(Long.parseLong(lines.get(number - 1).strip()));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static Optional<Long> port(Path home) {
        return pidFile(home, 4);
    }

    /**
     * Stops the server that a killed program left running. We hold the folder's lock, so that program is gone. It is stopped
     * rather than joined, so that each start has the settings, and the log, of its own.
     */
    private static void stopLeftOver(Path home) throws IOException {
        Optional<ProcessHandle> process = pidFile(home, 1).flatMap(ProcessHandle::of);
        Optional<String> command = process.flatMap(found -> found.info().command());
        if (command.isPresent()
                && Path.of(command.get()).getFileName().toString().startsWith("postgres")) {
            LOG.info(
                    "stopping the PostgreSQL that an earlier run left behind, process {}",
                    process.get().pid());
            // pg_ctl lies beside the server that it stops, whichever version that was.
            pgCtlStop(Path.of(command.get()).resolveSibling("pg_ctl"), home);
        } else {
            // Its number may be another process's by now; the server would take that for itself and refuse to start.
            Files.deleteIfExists(data(home).resolve("postmaster.pid"));
        }
    }

    private static void pgCtlStop(Path pgCtl, Path home) throws IOException {
        List<String> words = new ArrayList<>();
        if (isRoot()) {
            words.addAll(List.of("unshare", "-U"));
        }
        words.addAll(List.of(pgCtl.toString(), "-D", data(home).toString(), "-m", "fast", "-w", "-t", "60", "stop"));
        File log = home.resolve("server.log").toFile();
        Process stopping = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log))
                .start();
        try {
            if (!stopping.waitFor(70, TimeUnit.SECONDS) || stopping.exitValue() != 0) {
                throw new IOException("the PostgreSQL that an earlier run left behind did not stop");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static EmbeddedServer launch(Path home, FileChannel lock) throws IOException, SQLException {
        Path unfinished = home.resolve("unfinished");
        Path secret = home.resolve("password");
        boolean made = Files.exists(data(home)) && !Files.exists(unfinished);
        String password;
        if (made) {
            password = Files.readString(secret);
        } else {
            password = HexFormat.of().formatHex(randomBytes());
            Files.writeString(unfinished, "");
            delete(data(home));
            Files.deleteIfExists(secret);
            Files.createFile(secret);
            restrict(secret, "rw-------");
            Files.writeString(secret, password);
        }
        File log = home.resolve("server.log").toFile();
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setDataDirectory(data(home))
                .setCleanDataDirectory(false)
                .setOverrideWorkingDirectory(programs(home).toFile())
                .setRegisterShutdownHook(false)
                .setPGStartupWait(STARTUP_WAIT)
                .setLocaleConfig("locale", "C")
                .setConnectConfig("password", password)
                // What it is made for, tests, would do without; the last word wins.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                // TCP alone, where a password is asked for.
                .setServerConfig("unix_socket_directories", "")
                .setOutputRedirector(Redirect.appendTo(log))
                .setErrorRedirector(Redirect.appendTo(log))
                .start();
        try {
            if (!made) {
                demandPassword(server, password, data(home));
                Files.delete(unfinished);
            }
            return new EmbeddedServer(
                    lock, server, address(Integer.toString(server.getPort())) + "&password=" + password);
        } catch (IOException | SQLException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static byte[] randomBytes() {
        byte[] bytes = new byte[24];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /** The server is made without a password, and nobody has been told its port yet. */
    private static void demandPassword(EmbeddedPostgres server, String password, Path data)
            throws IOException, SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER ROLE " + USER + " PASSWORD '" + password + "'");
            Files.writeString(data.resolve("pg_hba.conf"), "host all all localhost scram-sha-256\n");
            statement.execute("SELECT pg_reload_conf()");
        }
    }

    /**
     * Where the server's programs are unpacked, once per version and user. Not in the folder for temporary files, which is
     * swept, and where others could put theirs in our way; and below a folder that is ours alone, because unpacking opens
     * its own to everybody.
     */
    private static Path programs(Path home) throws IOException {
        Path mine = Path.of(System.getProperty("user.home"), ".cache", "holdfast", "embedded");
        try {
            createPrivate(mine);
        } catch (IOException e) {
            LOG.debug("no cache at {}, unpacking into the data's folder", mine, e);
            return home.resolve("programs");
        }
        return mine.resolve("programs");
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
