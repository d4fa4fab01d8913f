package io.holdfast.contract.mutation;

import io.holdfast.contract.mutation.Verdict.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs tests on mutants. */
final class Judge<C> {
    /** A race may need some luck to be lost. */
    private static final int TRIES = 5;

    /** A test that kills this often in a row needs none: one that has two chances in three would get there once in sixty. */
    private static final int CERTAIN = 10;

    /** For each mutant, in the search. */
    private static final Duration PATIENCE = Duration.ofSeconds(Long.getLong("holdfast.mutants.seconds", 600));

    private final Wire<C> wire;
    private final Suites suites;
    private final Runnable wipe;

    /** @param wipe makes all tables empty */
    Judge(Wire<C> wire, Suites suites, Runnable wipe) {
        this.wire = wire;
        this.suites = suites;
        this.wipe = wipe;
    }

    /** Those that their killers do not kill, and those of which none is known. */
    List<String> findings(List<Mutant<C>> mutants, Killers killers) {
        List<String> findings = new ArrayList<>();
        for (Mutant<C> mutant : mutants) {
            if (killers.isExcused(mutant.name())) {
                continue;
            }
            Verdict verdict = killers.of(mutant.name())
                    .map(test -> judge(mutant, test))
                    .orElseGet(() -> new Verdict(
                            Kind.SURVIVED, "no test is known to kill it; run with -Dholdfast.mutants=search"));
            if (!verdict.isCaught()) {
                findings.add(verdict.of(mutant));
            }
        }
        return findings;
    }

    /** What came of it in this test, in up to {@link #TRIES} runs. */
    Verdict judge(Mutant<C> mutant, String test) {
        Verdict verdict = once(mutant, test);
        for (int i = 1; i < TRIES && verdict.kind() == Kind.SURVIVED; i++) {
            verdict = once(mutant, test);
        }
        return verdict;
    }

    private Verdict once(Mutant<C> mutant, String test) {
        wipe.run();
        wire.put(mutant);
        try {
            Optional<String> failure = suites.run(test);
            Optional<String> refusal = wire.refusal();
            if (refusal.isPresent()) {
                return new Verdict(Kind.REFUSED, refusal.get());
            }
            if (!wire.hasChanged()) {
                return new Verdict(Kind.UNSENT, test + " does not send what it changes");
            }
            return failure.map(why -> new Verdict(Kind.CAUGHT, why))
                    .orElseGet(() -> new Verdict(Kind.SURVIVED, test + " is green"));
        } finally {
            wire.clear();
        }
    }

    /** Why a test that nothing was done to fails; empty if it passes. */
    Optional<String> failure(String test) {
        wipe.run();
        wire.clear();
        return suites.run(test);
    }

    /** Looks for killers, and gets quicker by what it learns of the tests. */
    final class Search {
        /** Those that have killed others of the same statement, the last one first. */
        private final Map<String, Deque<String>> killers = new HashMap<>();
        /** Those that do not send the statement. */
        private final Map<String, Set<String>> strangers = new HashMap<>();

        private final Map<String, Duration> took = new HashMap<>();
        private final Set<String> sound = new HashSet<>();
        private final Set<String> unsound = new HashSet<>();

        /** Names a test that kills it each time; else one that does so now and then. */
        Verdict verdict(Mutant<C> mutant) {
            String statement = mutant.name().substring(0, mutant.name().indexOf(':') + 1);
            Verdict found = new Verdict(Kind.UNSENT, "no test sends what it changes");
            long began = System.nanoTime();
            for (String test : candidates(statement)) {
                if (System.nanoTime() - began > PATIENCE.toNanos()) {
                    break;
                }
                Verdict verdict = timed(mutant, test);
                int red = 0;
                while (verdict.isCaught() && ++red < CERTAIN) {
                    verdict = once(mutant, test);
                }
                if (verdict.kind() == Kind.REFUSED) {
                    return verdict;
                }
                if (verdict.kind() == Kind.UNSENT) {
                    strangers.computeIfAbsent(statement, key -> new HashSet<>()).add(test);
                    continue;
                }
                if (red == CERTAIN && isSound(test)) {
                    Deque<String> known = killers.computeIfAbsent(statement, key -> new ArrayDeque<>());
                    known.remove(test);
                    known.addFirst(test);
                    return new Verdict(Kind.CAUGHT, test);
                }
                if (!found.isCaught()) {
                    found = red > 0 && isSound(test)
                            ? new Verdict(Kind.CAUGHT, test)
                            : new Verdict(Kind.SURVIVED, "all are green");
                }
            }
            return found;
        }

        private List<String> candidates(String statement) {
            Set<String> tests = new LinkedHashSet<>(killers.getOrDefault(statement, new ArrayDeque<>()));
            suites.names().stream()
                    .sorted(Comparator.comparing((String test) -> !isOf(statement, test))
                            .thenComparing(test -> took.getOrDefault(test, Duration.ZERO)))
                    .forEach(tests::add);
            tests.removeAll(strangers.getOrDefault(statement, Set.of()));
            tests.removeAll(unsound);
            return List.copyOf(tests);
        }

        /** Whether a suite is called as the port that a statement's name begins with. */
        private static boolean isOf(String statement, String test) {
            String suite = test.substring(0, test.indexOf('#'));
            return statement.regionMatches(true, 0, suite + ".", 0, suite.length() + 1);
        }

        private Verdict timed(Mutant<C> mutant, String test) {
            long began = System.nanoTime();
            Verdict verdict = once(mutant, test);
            took.putIfAbsent(test, Duration.ofNanos(System.nanoTime() - began));
            return verdict;
        }

        /** Whether it passes as long as nothing is mutated. */
        private boolean isSound(String test) {
            if (!sound.contains(test) && failure(test).isPresent()) {
                unsound.add(test);
                return false;
            }
            sound.add(test);
            return true;
        }
    }
}
