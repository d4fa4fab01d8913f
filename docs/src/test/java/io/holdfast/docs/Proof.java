package io.holdfast.docs;

import io.holdfast.contract.Evidence;
import io.holdfast.contract.Evidence.Method;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes {@code docs/proof.md} of what a run of {@code ./verify} has left behind: the reports of its tests, and the evidence
 * of its attacks. What is not proven is written by hand, in {@code proof.md} beside this class's resources.
 */
public final class Proof {
    private static final Pattern RULE = Pattern.compile("(?m)^\\*\\*([A-Z]\\d+) ([^*]+)\\*\\*");
    private static final Pattern CASE = Pattern.compile("<testcase [^>]*?\\bname=\"(?:\\w+\\.)?([a-z]\\d+)_");

    private final Path root;
    private final List<Evidence> evidence;

    private Proof(Path root) throws IOException {
        this.root = root;
        this.evidence = evidence(root).toList();
    }

    /**
     * Prints the page.
     *
     * @param args the project's root; how the run is called, such as its date
     */
    public static void main(String[] args) throws IOException {
        System.out.print(page(Path.of(args[0]), args[1]));
    }

    static String page(Path root, String run) throws IOException {
        return new Proof(root).page(run);
    }

    /** Of all modules, as far as they have run. */
    static Stream<Evidence> evidence(Path root) throws IOException {
        return lines(root, "*/target/proof/*.tsv").map(Evidence::parse);
    }

    /** The contract's, with their titles, in its order. */
    static Map<String, String> rules(Path root) throws IOException {
        Map<String, String> rules = new LinkedHashMap<>();
        RULE.matcher(Files.readString(root.resolve("docs/contract.md")))
                .results()
                .forEach(rule -> rules.put(
                        rule.group(1), rule.group(2).replaceAll("\\s+", " ").replaceAll("[.,]$", "")));
        return rules;
    }

    private String page(String run) throws IOException {
        return template()
                .replace("{run}", run)
                .replace("{met}", met())
                .replace("{sum}", sum())
                .replace("{promises}", promises())
                .replace("{attacks}", attacks());
    }

    private static String template() throws IOException {
        try (InputStream template = Proof.class.getResourceAsStream("proof.md")) {
            return new String(template.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String met() throws IOException {
        Set<String> met = lines(root, "*/target/engines/*.txt")
                .map(line -> line.split("\t", -1))
                .map(part -> part[1] + " " + part[2].split(" ", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
        return met.isEmpty() ? "no database" : String.join(", ", met);
    }

    private String sum() {
        Set<String> engines = evidence.stream().map(Evidence::engine).collect(Collectors.toCollection(TreeSet::new));
        return byMethod(
                Stream.of("engine"),
                engines.stream()
                        .map(engine -> row(
                                numbers(Stream.of(engine), each -> each.engine().equals(engine)))));
    }

    private String promises() throws IOException {
        Map<String, Long> tests = tests();
        return byMethod(
                Stream.of("promise", "tests"),
                rules(root).entrySet().stream()
                        .map(rule -> row(numbers(
                                Stream.of(
                                        rule.getKey() + " " + rule.getValue(),
                                        count(tests.getOrDefault(rule.getKey(), 0L))),
                                each -> each.rules().contains(rule.getKey())))));
    }

    private static String byMethod(Stream<String> first, Stream<String> rows) {
        return table(Stream.concat(first, Arrays.stream(Method.values()).map(Proof::name)), rows);
    }

    /** The first cells of a row, and one for each method. */
    private Stream<String> numbers(Stream<String> first, Predicate<Evidence> wanted) {
        return Stream.concat(
                first,
                Arrays.stream(Method.values())
                        .map(method -> number(evidence.stream()
                                .filter(each -> each.method() == method && wanted.test(each))
                                .toList())));
    }

    /** How many cases of the suites were run for each rule, on all stores together. */
    private Map<String, Long> tests() throws IOException {
        Map<String, Long> tests = new TreeMap<>();
        for (Path report : find(root, "*/target/surefire-reports/TEST-*.xml")) {
            CASE.matcher(Files.readString(report))
                    .results()
                    .forEach(found -> tests.merge(found.group(1).toUpperCase(Locale.ROOT), 1L, Long::sum));
        }
        return tests;
    }

    /** Each attack on its own, by method. Of the broken stores there are too many: they stand in the table of promises. */
    private String attacks() {
        return Arrays.stream(Method.values())
                .filter(method -> method != Method.BROKEN_STORES)
                .map(method -> "### " + capital(name(method)) + "\n\n"
                        + table(
                                Stream.of("attack", "engine", "rules", name(method), "note"),
                                evidence.stream()
                                        .filter(each -> each.method() == method)
                                        .sorted(Comparator.comparing(Evidence::what)
                                                .thenComparing(Evidence::engine))
                                        .map(each -> row(Stream.of(
                                                each.what(),
                                                each.engine(),
                                                String.join(" ", each.rules()),
                                                number(List.of(each)),
                                                each.note())))))
                .collect(Collectors.joining("\n"));
    }

    /** What was tried; what shows nothing, and what was found, only if there is any. */
    private static String number(List<Evidence> attacks) {
        long excused = attacks.stream().mapToLong(Evidence::excused).sum();
        long findings = attacks.stream().mapToLong(Evidence::findings).sum();
        return (attacks.isEmpty()
                        ? ""
                        : count(attacks.stream().mapToLong(Evidence::tried).sum()))
                + (excused == 0 ? "" : " (" + count(excused) + " equivalent)")
                + (findings == 0 ? "" : " **" + count(findings) + " FOUND**");
    }

    private static String count(long n) {
        return n == 0 ? "" : String.format(Locale.ROOT, "%,d", n);
    }

    private static String name(Method method) {
        return method.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String capital(String name) {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    private static String table(Stream<String> head, Stream<String> rows) {
        List<String> columns = head.toList();
        String body = rows.collect(Collectors.joining());
        return body.isEmpty()
                ? "None in this run.\n"
                : row(columns.stream())
                        + row(columns.stream().map(column -> isOfNumbers(column) ? "---:" : "---"))
                        + body;
    }

    private static boolean isOfNumbers(String column) {
        return column.equals("tests")
                || Arrays.stream(Method.values()).map(Proof::name).anyMatch(column::equals);
    }

    private static String row(Stream<String> cells) {
        return cells.map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static Stream<String> lines(Path root, String glob) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path file : find(root, glob)) {
            lines.addAll(Files.readAllLines(file));
        }
        return lines.stream();
    }

    private static List<Path> find(Path root, String glob) throws IOException {
        PathMatcher matcher = root.getFileSystem().getPathMatcher("glob:" + glob);
        try (Stream<Path> files = Files.walk(root, 4)) {
            return files.filter(file -> matcher.matches(root.relativize(file)))
                    .sorted()
                    .toList();
        }
    }
}
