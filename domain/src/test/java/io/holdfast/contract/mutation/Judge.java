package io.holdfast.contract.mutation;

import io.holdfast.contract.mutation.Suites.Run;
import io.holdfast.contract.mutation.Verdict.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Runs tests on mutants. */
final class Judge<C> {
    /** A race may need some luck to be lost. */
    private static final int TRIES = 5;

    /** A test that kills this often in a row needs none. */
    private static final int CERTAIN = 4;

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
            Run run = suites.run(test);
            Optional<String> refusal = wire.refusal();
            if (refusal.isPresent()) {
                return new Verdict(Kind.REFUSED, refusal.get());
            }
            if (!wire.hasChanged()) {
                return new Verdict(Kind.UNSENT, test + " does not send what it changes");
            }
            return run.failure()
                    .map(failure -> new Verdict(Kind.CAUGHT, failure))
                    .orElseGet(() -> new Verdict(Kind.SURVIVED, test + " is green"));
        } finally {
            wire.clear();
        }
    }

    /** Why a test that nothing was done to fails; empty if it passes. */
    Optional<String> failure(String test) {
        return known(test).run().failure();
    }

    /** A test that passes as long as nothing is done to it: what it sends, and how long it takes. */
    private record Known<C>(String name, Set<C> sends, Run run) {
        boolean concerns(Mutant<C> mutant) {
            return sends.stream().anyMatch(sent -> !mutant.change().apply(sent).equals(sent));
        }

        Duration took() {
            return run.took();
        }
    }

    private Known<C> known(String test) {
        wipe.run();
        wire.clear();
        Run run = suites.run(test);
        return new Known<>(test, wire.seen(), run);
    }

    /** Looks for killers. Made when it is first needed, because it runs every test once. */
    final class Search {
        private final List<Known<C>> tests = suites.names().stream()
                .map(Judge.this::known)
                .filter(test -> !test.run().isRed())
                .sorted(Comparator.comparing(Known::took))
                .toList();

        /** Those that send what it changes, the quick ones first. */
        private Stream<String> of(Mutant<C> mutant) {
            return tests.stream().filter(test -> test.concerns(mutant)).map(Known::name);
        }

        /** Names the quickest test that kills it each time; else one that does so now and then. */
        Verdict verdict(Mutant<C> mutant) {
            Verdict found = new Verdict(Kind.UNSENT, "no test sends what it changes");
            long began = System.nanoTime();
            for (String test : of(mutant).toList()) {
                if (System.nanoTime() - began > PATIENCE.toNanos()) {
                    break;
                }
                Verdict verdict = once(mutant, test);
                int red = 0;
                while (verdict.isCaught() && ++red < CERTAIN) {
                    verdict = once(mutant, test);
                }
                if (verdict.kind() == Kind.REFUSED) {
                    return verdict;
                }
                if (red == CERTAIN) {
                    return new Verdict(Kind.CAUGHT, test);
                }
                if (!found.isCaught()) {
                    found = red > 0 ? new Verdict(Kind.CAUGHT, test) : new Verdict(Kind.SURVIVED, "all are green");
                }
            }
            return found;
        }
    }
}
