package io.holdfast.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an attack on the guarantees did: a line in {@code target/proof}, from which {@code ./verify} and {@code
 * docs/proof.md} tell it. Written before the attack is judged, so that a finding is on record, too.
 *
 * @param engine and version, such as "PostgreSQL 18.6"; "memory" for what needs no database
 * @param rules that it attacked, such as "G1 G5"
 * @param what was attacked and how, in a few words
 * @param tried how many histories, mutants, orders, faults, combinations, schedules
 * @param excused those of them that show nothing, and where it is written why: mutants that are equivalent
 * @param findings those of them that broke a rule
 * @param note how to do it again, such as "seed 4711"; or ""
 */
public record Evidence(
        Method method,
        String engine,
        List<String> rules,
        String what,
        long tried,
        long excused,
        long findings,
        String note) {
    /** The ways of attacking, as the report calls them. */
    public enum Method {
        /** Stores that break rules on purpose, each examined by the whole suite of its port. */
        BROKEN_STORES,
        /** Concurrent calls, recorded, and checked for an order in which one at a time would have answered the same. */
        HISTORIES,
        /** Conditions left out of real statements, or weakened. */
        MUTANTS,
        /** Orders in which the statements of several connections can come. */
        INTERLEAVINGS,
        /** What networks, servers, clocks, operators and strangers do. */
        FAULTS,
        /** Combinations of settings, versions, poolers. */
        MATRIX,
        /** Orders in which heartbeats, answers and ends can come, simulated. */
        SCHEDULES,
        /** Servers that fail in the middle of races, and whose stand-by takes over. */
        CLUSTERS
    }

    public Evidence {
        rules = List.copyOf(rules);
    }

    /** Without excuses. */
    public static Evidence of(
            Method method, String engine, String rules, String what, long tried, long findings, String note) {
        return new Evidence(method, engine, List.of(rules.split(" ")), what, tried, 0, findings, note);
    }

    /** Reads a line of such a file. */
    public static Evidence parse(String line) {
        String[] part = line.split("\t", -1);
        return new Evidence(
                Method.valueOf(part[0]),
                part[1],
                List.of(part[2].split(" ")),
                part[3],
                Long.parseLong(part[4]),
                Long.parseLong(part[5]),
                Long.parseLong(part[6]),
                part[7]);
    }

    /** Adds it to what this module's run has shown so far. */
    public void tell() {
        String line = Stream.of(method, engine, String.join(" ", rules), what, tried, excused, findings, note)
                .map(part -> part.toString().replaceAll("\\s+", " "))
                .collect(Collectors.joining("\t", "", "\n"));
        Path file = Path.of("target", "proof", method + ".tsv");
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
