package io.holdfast.contract.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which test kills which mutant: the lines of a file, each a mutant's name and, behind a tab, {@code Suite#method}; or {@code
 * EQUIVALENT} and, behind another tab, why no test could. Lines that begin with # are comments, and stay at the top.
 */
final class Killers {
    private static final String EQUIVALENT = "EQUIVALENT\t";

    private final Path file;
    private final List<String> comments = new ArrayList<>();
    private final Map<String, String> lines = new TreeMap<>();

    Killers(Path file) {
        this.file = file;
        if (!Files.exists(file)) {
            return;
        }
        for (String line : read(file)) {
            if (line.startsWith("#")) {
                comments.add(line);
            } else if (!line.isBlank()) {
                String[] parts = line.split("\t", 2);
                if (parts.length < 2 || parts[1].isBlank() || parts[1].equals(EQUIVALENT.strip())) {
                    throw new IllegalStateException(file + " says nothing of " + line);
                }
                if (lines.put(parts[0], parts[1]) != null) {
                    throw new IllegalStateException(file + " says two things of " + parts[0]);
                }
            }
        }
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The test that kills it, if one is known. */
    Optional<String> of(String mutant) {
        return Optional.ofNullable(lines.get(mutant)).filter(line -> !line.startsWith(EQUIVALENT));
    }

    /** Whether it is written why no test can. */
    boolean isExcused(String mutant) {
        return lines.getOrDefault(mutant, "").startsWith(EQUIVALENT);
    }

    boolean isKnown(String mutant) {
        return lines.containsKey(mutant);
    }

    /** All tests that kill something. */
    List<String> tests() {
        return lines.values().stream()
                .filter(line -> !line.startsWith(EQUIVALENT))
                .distinct()
                .toList();
    }

    /** The names of mutants that are none of these. */
    List<String> without(Collection<String> mutants) {
        return lines.keySet().stream().filter(name -> !mutants.contains(name)).toList();
    }

    /** Keeps what was found out. */
    void put(String mutant, String test) {
        lines.put(mutant, test);
        write();
    }

    void remove(String mutant) {
        lines.remove(mutant);
        write();
    }

    private void write() {
        try {
            Files.createDirectories(file.getParent());
            Files.write(
                    file,
                    Stream.concat(
                                    comments.stream(),
                                    lines.entrySet().stream().map(line -> line.getKey() + "\t" + line.getValue()))
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
