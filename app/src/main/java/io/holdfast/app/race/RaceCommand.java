package io.holdfast.app.race;

import io.holdfast.StoreUnavailable;
import io.holdfast.UnfitDatabase;
import io.holdfast.app.CannotStart;
import io.holdfast.app.Secrets;
import io.holdfast.app.StoreAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast race}. */
@Command(
        name = "race",
        mixinStandardHelpOptions = true,
        description = {
            "Publish one app from several processes at the same moment, again and again, and count"
                    + " what really arrives at the orchestrator. And the same with one save token, one refresh token, one"
                    + " release and one sanction.",
            "",
            "Strategies:",
            "  in-memory: a set, or a lock, in each process",
            "  check-then-act: read, then write",
            "  fail-then-start: mark what is there as over, then insert (publish, sanction)",
            "  act-then-mark: write, then insert the token as used (save)",
            "  revoke-on-reuse: one gets a successor, the next is a thief (refresh)",
            "  guessed-expiry: a lock that is broken when it is old (release)",
            "  claim: ours",
            "Scenarios:",
            "  publish: first-publish, republish (a live app), dead-owner (marked as building, silent for ten minutes),"
                    + " slow-build (building, alive, and older than the silence limit)",
            "  save: one form, sent by all",
            "  refresh: tabs of one user, who come again with what they got",
            "  release: first-release, slow-release (alive, and older than the silence limit)",
            "  sanction: several operators, one account"
        },
        footer = {
            "",
            "Exit codes: 0 claim did what it promises; 1 it did not, or the run went wrong; 2 bad options, or a store that"
                    + " cannot be used."
        })
public final class RaceCommand implements Callable<Integer> {
    private static final String ALL = "all";
    private static final String STOPPED = "stopped; nothing is left behind";
    private static final int MAX_ROUNDS = 10_000;
    private static final int MAX_CONTENDERS = 16;
    private static final int MAX_SPREAD = 5_000;
    private static final Duration LONGEST_RUN = Duration.ofHours(12);

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            defaultValue = "embedded",
            description = {
                "The database to race on (default: ${DEFAULT-VALUE}):",
                "embedded, a PostgreSQL of our own, thrown away afterwards;",
                "jdbc:postgresql://... or jdbc:mysql://...;",
                "mongodb://..., which may be FerretDB.",
                "Tables are made, with a prefix of their own, and dropped in the end."
            })
    private String store = "embedded";

    @Option(
            names = "--strategy",
            paramLabel = "NAME",
            split = ",",
            defaultValue = ALL,
            description = "Which to run; may be repeated (default: ${DEFAULT-VALUE}).")
    private List<String> strategies = List.of(ALL);

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            split = ",",
            defaultValue = ALL,
            description = "Which to run; may be repeated (default: ${DEFAULT-VALUE}).")
    private List<String> scenarios = List.of(ALL);

    @Option(
            names = "--spread",
            paramLabel = "MS",
            split = ",",
            defaultValue = "0,28,84",
            description =
                    "How far apart they come: the i-th i times this after the barrier (default: ${DEFAULT-VALUE}).")
    private List<Integer> spreads = List.of(0, 28, 84);

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "50",
            description = "Rounds of each race (default: ${DEFAULT-VALUE}).")
    private int rounds = 50;

    @Option(
            names = "--contenders",
            paramLabel = "N",
            defaultValue = "3",
            description = "Processes that come at once (default: ${DEFAULT-VALUE}).")
    private int contenders = 3;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the result as JSON, too. -: to standard output, and the table to standard error.")
    private @Nullable String json;

    private final Class<?> contender;
    /** A contender that the same Ctrl-C has ended is no news then. */
    private volatile boolean stopping;

    public RaceCommand() {
        this(Contender.class);
    }

    /**
     * @param contender the program of the processes that come
     */
    RaceCommand(Class<?> contender) {
        this.contender = contender;
    }

    @Override
    public Integer call() throws IOException {
        StoreAddress address = address();
        List<Cell> cells = cells();
        requireWritable();
        PrintWriter err = spec.commandLine().getErr();
        announce(err, cells, address);
        // Ctrl-C: the thread that runs is interrupted, cleans up, and is waited for.
        Thread runner = Thread.currentThread();
        CountDownLatch cleanedUp = new CountDownLatch(1);
        Thread hook = new Thread(() -> stop(runner, cleanedUp), "race-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Result result = run(address, cells, err);
            tell(result, err);
            return result.kept() ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (CannotStart | StoreFailed | StoreUnavailable | UnfitDatabase e) {
            return fail(err, ExitCode.USAGE, e.getMessage() + advice(address));
        } catch (IllegalStateException e) {
            return fail(err, ExitCode.SOFTWARE, stopping ? STOPPED : e.getMessage());
        } catch (InterruptedException e) {
            return fail(err, ExitCode.SOFTWARE, STOPPED);
        } finally {
            cleanedUp.countDown();
            forget(hook);
        }
    }

    private void stop(Thread runner, CountDownLatch cleanedUp) {
        stopping = true;
        runner.interrupt();
        try {
            cleanedUp.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is what brought us here.
        }
    }

    private void announce(PrintWriter err, List<Cell> cells, StoreAddress address) {
        Duration estimate = Race.estimate(cells, rounds, contenders);
        if (estimate.compareTo(LONGEST_RUN) > 0) {
            throw bad("this would take about " + estimate.toHours() + " hours: ask for less than "
                    + LONGEST_RUN.toHours());
        }
        err.println("%,d %s of %,d %s between %d processes on %s: about %s"
                .formatted(
                        cells.size(),
                        cells.size() == 1 ? "race" : "races",
                        rounds,
                        rounds == 1 ? "round" : "rounds",
                        contenders,
                        // Without the driver's settings, which nobody wants to read here.
                        address.toString().replaceFirst("\\?.*", ""),
                        Progress.clock(estimate)));
        err.flush();
    }

    private Result run(StoreAddress address, List<Cell> cells, PrintWriter err)
            throws IOException, InterruptedException {
        boolean terminal = Ansi.AUTO.enabled();
        try (Arena arena = new Arena(address, contenders, contender, words -> err.println("note: " + words));
                Progress progress = new Progress(err, terminal, Race.work(cells, rounds, contenders))) {
            String product = arena.store();
            long began = System.nanoTime();
            List<Tally> tallies = new Race(arena, cells, rounds, progress).run();
            return new Result(product, contenders, rounds, Duration.ofNanos(System.nanoTime() - began), tallies);
        }
    }

    private void tell(Result result, PrintWriter err) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        boolean jsonOnly = "-".equals(json);
        PrintWriter table = jsonOnly ? err : out;
        table.println(new Table(result, Ansi.AUTO).text());
        table.flush();
        if (jsonOnly) {
            out.println(ResultJson.of(result));
            out.flush();
        } else if (json != null) {
            Files.writeString(Path.of(json), ResultJson.of(result) + "\n");
        }
    }

    private int fail(PrintWriter err, int code, @Nullable String message) {
        err.println(
                spec.commandLine().getColorScheme().errorText("holdfast: " + Secrets.masked(String.valueOf(message))));
        err.flush();
        return code;
    }

    private static String advice(StoreAddress address) {
        return address.kind() == StoreAddress.Kind.EMBEDDED
                ? ""
                : "\nA race needs a server that is up, and a user who may create and drop tables in that database. Without"
                        + " one: --store embedded";
    }

    private StoreAddress address() {
        try {
            return StoreAddress.parse(store);
        } catch (IllegalArgumentException e) {
            throw bad(e.getMessage());
        }
    }

    private List<Cell> cells() {
        requireWithin("--rounds", rounds, 1, MAX_ROUNDS);
        requireWithin("--contenders", contenders, 2, MAX_CONTENDERS);
        spreads.forEach(spread -> requireWithin("--spread", spread, 0, MAX_SPREAD));
        List<Cell> cells = new ArrayList<>();
        Set<Strategy> by = chosen("--strategy", strategies, Strategy.values(), strategy -> List.of(strategy.label()));
        Set<Scenario> of = chosen(
                "--scenario",
                scenarios,
                Scenario.values(),
                scenario -> List.of(scenario.label(), scenario.port.label()));
        for (Port port : Port.values()) {
            for (Strategy strategy : by) {
                of.stream()
                        .filter(scenario -> scenario.port == port && strategy.fits(scenario))
                        .flatMap(scenario ->
                                spreads.stream().distinct().map(spread -> new Cell(strategy, scenario, spread)))
                        .forEach(cells::add);
            }
        }
        if (cells.isEmpty()) {
            throw bad("nobody decides so: none of the chosen strategies is one for the chosen scenarios");
        }
        return cells;
    }

    private void requireWithin(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw bad("%s must be from %,d to %,d: %,d".formatted(option, least, most, value));
        }
    }

    private <T> Set<T> chosen(String option, List<String> names, T[] all, Function<T, List<String>> labels) {
        Set<T> chosen = new LinkedHashSet<>();
        Set<String> known = new LinkedHashSet<>();
        for (T value : all) {
            if (names.contains(ALL) || labels.apply(value).stream().anyMatch(names::contains)) {
                chosen.add(value);
            }
            known.addAll(labels.apply(value));
        }
        known.add(ALL);
        for (String name : names) {
            if (!known.contains(name)) {
                throw bad("%s has no %s: choose from %s".formatted(option, name, String.join(", ", known)));
            }
        }
        return chosen;
    }

    /** Now, and not after minutes of racing. */
    private void requireWritable() {
        if (json == null || json.equals("-")) {
            return;
        }
        try {
            Files.writeString(Path.of(json), "");
        } catch (IOException | InvalidPathException e) {
            throw bad("--json cannot write to " + json + ": " + e);
        }
    }

    private ParameterException bad(@Nullable String message) {
        return new ParameterException(spec.commandLine(), String.valueOf(message));
    }

    /** Runs the command alone, as its tests do. */
    static CommandLine commandLine(Class<?> contender) {
        return new CommandLine(new RaceCommand(contender));
    }
}
