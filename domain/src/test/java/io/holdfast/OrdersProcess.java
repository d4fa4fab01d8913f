package io.holdfast;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;

/**
 * Looks for an order in which a race breaks a promise, in a JVM of its own: Lincheck rewrites the classes of the one that it
 * runs in, the JDK's among them, and knows a class by its name alone, so there is no second heart with a mistake beside it.
 */
final class OrdersProcess {
    /** Held, because a logger that nobody holds forgets its level. */
    private static final Logger LOG = Logger.getLogger(Heartbeats.class.getName());

    /** How each finding begins. */
    private static final String BROKEN = "BROKEN ";

    private OrdersProcess() {}

    /** Prints what was found. */
    public static void main(String[] ordersAndRaces) {
        LOG.setLevel(Level.OFF);
        int orders = Integer.parseInt(ordersAndRaces[0]);
        for (String race : List.of(ordersAndRaces).subList(1, ordersAndRaces.length)) {
            try {
                Lincheck.runConcurrentTest(orders, HeartRace.valueOf(race));
            } catch (LincheckAssertionError e) {
                System.out.println(BROKEN + race + e.getMessage());
            }
        }
        // The threads of an order that hung still hang.
        System.exit(0);
    }

    /**
     * Tries so many orders of each, and returns what was found in those that broke.
     *
     * @param mistakes classes that come before those of the same name
     * @param said where the process writes
     */
    static List<String> findings(Path mistakes, Path said, int orders, Collection<HeartRace> races)
            throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Seconds of a program that is mostly new to the JVM: the second compiler would be two thirds of them.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // It warns of each field of a record, because it cannot put it back; nothing writes one.
                "-Dlincheck.logLevel=ERROR",
                "-cp",
                mistakes + File.pathSeparator + System.getProperty("java.class.path"),
                OrdersProcess.class.getName(),
                Integer.toString(orders)));
        races.forEach(race -> command.add(race.name()));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            boolean ended = process.waitFor(10, TimeUnit.MINUTES);
            process.destroyForcibly();
            String all = Files.readString(said);
            if (!ended || process.exitValue() != 0) {
                throw new AssertionError("the orders were not tried to the end: " + all);
            }
            return List.of(all.split("(?m)^" + BROKEN)).stream().skip(1).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
