package io.holdfast.contract.mutation;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes mutants of a statement in SQL, from its text:
 *
 * <ul>
 *   <li>Each condition that an AND joins is TRUE, each that an OR joins is FALSE; the only one of a WHERE or an ON is TRUE, that
 *       of a WHEN, an IF or a column is either. It stays in the text where it has parameters: {@code (TRUE OR ...)}.
 *   <li>A comparison takes the equal in, or leaves it out; one that knows NULL forgets it.
 *   <li>{@code greatest} and {@code least} are one of the two; what is added or taken off, or multiplied, is not.
 *   <li>Rows are not locked, or locked ones not stepped over; a conflict is an error; an order is turned round; a limit is
 *       one more.
 * </ul>
 *
 * <p>It knows as much of the grammar as these statements need: brackets, CASE, and where a condition can begin and end.
 */
public final class SqlMutants {
    private static final Pattern TOKEN =
            Pattern.compile("'(?:[^']|'')*'|--[^\\n]*|@{0,2}[A-Za-z_][A-Za-z_0-9]*|[0-9]+|<=>|<=|>=|<>|::|\\|\\||\\S");

    /** Where a condition can neither begin before nor go on after. */
    private static final Set<String> BOUNDARIES = Set.of(
            "WHERE",
            "ON",
            "AND",
            "OR",
            "WHEN",
            "THEN",
            "ELSE",
            "SELECT",
            "FROM",
            "JOIN",
            "LEFT",
            "SET",
            "AS",
            ",",
            ";",
            "GROUP",
            "ORDER",
            "LIMIT",
            "OFFSET",
            "RETURNING",
            "FOR",
            "UNION",
            "USING",
            "STRAIGHT_JOIN",
            "WITH",
            "VALUES",
            "UPDATE",
            "DELETE",
            "INSERT",
            "DO");

    private static final Set<String> COMPARISONS =
            Set.of("=", "<>", "<", "<=", ">", ">=", "<=>", "IS", "EXISTS", "NOT");

    private static final Map<String, String> WEAKER = Map.of("<=", "<", "<", "<=", ">=", ">", ">", ">=", "<=>", "=");

    /** What is told of a condition, and of what is around an operator. */
    private static final int LONGEST = 100;

    private static final int CONTEXT = 30;

    private final String statement;
    private final String text;
    private final Map<String, String> shorter;
    private final List<Mutant<String>> mutants = new ArrayList<>();
    private final Map<String, Integer> names = new TreeMap<>();

    private SqlMutants(String statement, String text, Map<String, String> shorter) {
        this.statement = statement;
        this.text = text;
        this.shorter = shorter;
    }

    /**
     * All mutants of a statement.
     *
     * @param statement begins their names
     * @param text as it is sent; what frames it may be around it
     * @param shorter what to call parts of it in the names
     */
    public static List<Mutant<String>> of(String statement, String text, Map<String, String> shorter) {
        SqlMutants made = new SqlMutants(statement, text, shorter);
        made.conditions(made.parse());
        made.patterns();
        return List.copyOf(made.mutants);
    }

    /**
     * All mutants of all statements that an object has as fields.
     *
     * @param port begins their names, before the field's
     * @param now as {@code now} in the names, and {@code began} in a mutant for which it stands still
     * @param unframed takes away what frames each of them
     */
    public static List<Mutant<String>> ofAll(
            String port, Object statements, String now, String began, UnaryOperator<String> unframed) {
        List<Mutant<String>> mutants = new ArrayList<>();
        for (Field field : statements.getClass().getDeclaredFields()) {
            if (field.getType() == String.class && !Modifier.isStatic(field.getModifiers())) {
                String statement = port + "." + field.getName();
                String text = unframed.apply(value(field, statements));
                mutants.addAll(of(statement, text, Map.of(now, "now")));
                if (text.contains(now)) {
                    mutants.add(replacing(
                            statement + ": now is its transaction's begin",
                            text,
                            Pattern.quote(now),
                            Matcher.quoteReplacement(began)));
                }
            }
        }
        return mutants;
    }

    private static String value(Field field, Object object) {
        try {
            field.setAccessible(true);
            return (String) field.get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A mutant that replaces each match of a pattern in a text.
     *
     * @param text of a statement, or empty for whatever is sent
     */
    public static Mutant<String> replacing(String name, String text, String pattern, String by) {
        Pattern compiled = Pattern.compile(pattern);
        if (text.isEmpty()) {
            return new Mutant<>(name, sent -> compiled.matcher(sent).replaceAll(by));
        }
        String mutated = compiled.matcher(text).replaceAll(by);
        return new Mutant<>(name, sent -> sent.replace(text, mutated));
    }

    /** A word of the text, or all that stands between two brackets, those included. */
    private record Item(String word, int start, int end, List<Item> inside) {
        boolean isCase() {
            return word.equals("CASE");
        }
    }

    private List<Item> parse() {
        Matcher tokens = TOKEN.matcher(text);
        return parse(tokens, "", new ArrayList<>());
    }

    private static List<Item> parse(Matcher tokens, String until, List<Item> items) {
        while (tokens.find()) {
            String word = tokens.group().toUpperCase(Locale.ROOT);
            int start = tokens.start();
            int end = tokens.end();
            if (word.startsWith("--")) {
                continue;
            }
            if (word.equals("(") || word.equals("CASE")) {
                List<Item> inside = parse(tokens, word.equals("(") ? ")" : "END", new ArrayList<>());
                items.add(new Item(word, start, tokens.end(), inside));
            } else if (word.equals(until)) {
                return items;
            } else {
                items.add(new Item(word, start, end, List.of()));
            }
        }
        return items;
    }

    /** Items between two boundaries, and those: "" at the end of a bracket. */
    private record Part(String before, List<Item> items, String after) {
        int start() {
            return items.get(0).start();
        }

        int end() {
            return items.get(items.size() - 1).end();
        }

        boolean compares() {
            return items.stream().anyMatch(item -> COMPARISONS.contains(item.word()));
        }

        boolean isJoined() {
            return isJoint(before) || isJoint(after);
        }

        private static boolean isJoint(String word) {
            return word.equals("AND") || word.equals("OR");
        }
    }

    private static List<Part> parts(List<Item> items) {
        List<Part> parts = new ArrayList<>();
        List<Item> part = new ArrayList<>();
        String before = "";
        String last = "";
        for (Item item : items) {
            boolean isBoundary = BOUNDARIES.contains(item.word()) && !last.equals("DISTINCT");
            if (!isBoundary) {
                part.add(item);
            } else {
                if (!part.isEmpty()) {
                    parts.add(new Part(before, List.copyOf(part), item.word()));
                    part.clear();
                }
                before = item.word();
            }
            last = item.word();
        }
        if (!part.isEmpty()) {
            parts.add(new Part(before, List.copyOf(part), ""));
        }
        return parts;
    }

    private void conditions(List<Item> items) {
        conditionsOf(items, "");
    }

    private void conditionsOf(List<Item> items, String function) {
        List<Part> parts = parts(items);
        boolean isSimpleCase = !parts.isEmpty()
                && function.equals("CASE")
                && parts.get(0).before().isEmpty();
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (isSimpleCase && part.before().equals("WHEN")) {
                replace(part, "NULL");
                replace(part, source(parts.get(0)));
            } else if (part.isJoined()) {
                joined(parts, i);
            } else if (part.before().equals("WHEN") || (i == 0 && function.equals("IF"))) {
                be(part, true);
                be(part, false);
            } else if ((part.before().equals("WHERE") || part.before().equals("ON"))
                    && !part.items().get(0).word().equals("CONFLICT")) {
                be(part, true);
            } else if (part.after().equals("AS") && part.compares()) {
                be(part, true);
                be(part, false);
            }
        }
        String last = "";
        for (Item item : items) {
            if (!item.inside().isEmpty()) {
                conditionsOf(item.inside(), item.isCase() ? "CASE" : last);
            }
            last = item.word();
        }
    }

    private void joined(List<Part> parts, int i) {
        Part part = parts.get(i);
        if (part.before().equals("AND") || part.after().equals("AND")) {
            be(part, true);
        }
        // The whole branch of an OR, at its first part.
        if (!part.before().equals("AND")) {
            int last = i;
            while (parts.get(last).after().equals("AND")) {
                last++;
            }
            Part end = parts.get(last);
            boolean isBranch = part.before().equals("OR") || end.after().equals("OR");
            if (isBranch || part.before().equals("WHEN")) {
                be(part.start(), end.end(), false);
            }
        }
    }

    private void be(Part part, boolean value) {
        be(part.start(), part.end(), value);
    }

    private void be(int start, int end, boolean value) {
        String condition = text.substring(start, end);
        String word = value ? "TRUE" : "FALSE";
        if (condition.equalsIgnoreCase(word)) {
            return;
        }
        String by = condition.contains("?") ? "(" + word + (value ? " OR (" : " AND (") + condition + "))" : word;
        add(condition + " is " + word, start, end, by);
    }

    private void replace(Part part, String by) {
        add("WHEN " + source(part) + " is " + by, part.start(), part.end(), by);
    }

    private String source(Part part) {
        return text.substring(part.start(), part.end());
    }

    private void patterns() {
        Matcher tokens = TOKEN.matcher(text);
        while (tokens.find()) {
            String weaker = WEAKER.get(tokens.group());
            if (weaker != null) {
                // With a little of what is around it, so that it can be recognized.
                add(around(tokens.start(), tokens.end()) + " with " + weaker, tokens.start(), tokens.end(), weaker);
            }
        }
        each("IS NOT DISTINCT FROM", "=");
        each("IS DISTINCT FROM", "<>");
        each(" SKIP LOCKED", "");
        each("FOR (?:NO KEY )?UPDATE(?: OF [a-z]+)?(?: SKIP LOCKED)?", "");
        each("ON CONFLICT DO NOTHING", "");
        each("(?<=ORDER BY [a-z.]{1,20}) DESC", "");
        each("(?<=ORDER BY [a-z._]{1,20})(?=\\n)", " DESC");
        each(" [+-] [0-9]+(?![0-9]| \\*)", "");
        each("(?<![0-9])[0-9] [+*] ", "");
        limits();
        extremes();
    }

    private void each(String pattern, String by) {
        Matcher matches = Pattern.compile(pattern).matcher(text);
        while (matches.find()) {
            add(
                    around(matches.start(), matches.end()) + (by.isEmpty() ? " without" : " with") + " "
                            + (by.isEmpty() ? matches.group().strip() : by.strip()),
                    matches.start(),
                    matches.end(),
                    by);
        }
    }

    /** In a number, because not every engine reckons there. */
    private void limits() {
        Matcher limits = Pattern.compile("(LIMIT|OFFSET) ([0-9]+|\\?::[a-z]+)").matcher(text);
        while (limits.find()) {
            String limit = limits.group(2);
            String by = limit.startsWith("?") ? limit + " + 1" : String.valueOf(Long.parseLong(limit) + 1);
            add(
                    around(limits.start(), limits.end()) + " with " + limits.group(1) + " " + by,
                    limits.start(2),
                    limits.end(2),
                    by);
        }
    }

    /** {@code greatest(a, b)} and {@code least(a, b)}. */
    private void extremes() {
        Matcher calls = Pattern.compile("(?i)\\b(?:greatest|least)\\(").matcher(text);
        while (calls.find()) {
            int comma = -1;
            int at = calls.end();
            for (int depth = 1; depth > 0; at++) {
                char c = text.charAt(at);
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                if (c == ',' && depth == 1) {
                    comma = at;
                }
            }
            String call = text.substring(calls.start(), at);
            for (String by : List.of(text.substring(calls.end(), comma), text.substring(comma + 1, at - 1))) {
                add(call + " is " + by.strip(), calls.start(), at, "(" + by.strip() + ")");
            }
        }
    }

    /** A change and what is around it in its line. */
    private String around(int start, int end) {
        String before = shorten(text.substring(text.lastIndexOf('\n', start - 1) + 1, start));
        String after = shorten(text.substring(end).lines().findFirst().orElse(""));
        return lastWords(before) + text.substring(start, end) + firstWords(after);
    }

    private static String lastWords(String line) {
        String words = line.substring(Math.max(0, line.length() - CONTEXT));
        return words.equals(line) ? line : words.substring(words.indexOf(' ') + 1);
    }

    private static String firstWords(String line) {
        String words = line.substring(0, Math.min(line.length(), CONTEXT));
        return words.equals(line) ? line : words.substring(0, Math.max(0, words.lastIndexOf(' ')));
    }

    private String shorten(String part) {
        String shortened = part;
        for (Map.Entry<String, String> each : shorter.entrySet()) {
            shortened = shortened.replace(each.getKey(), each.getValue());
        }
        return shortened;
    }

    private void add(String what, int start, int end, String by) {
        String replaced = text.substring(start, end);
        if (replaced.chars().filter(c -> c == '?').count()
                != by.chars().filter(c -> c == '?').count()) {
            throw new IllegalStateException("a parameter got lost: " + replaced + " is " + by);
        }
        String name = name(what);
        int times = names.merge(name, 1, Integer::sum);
        String mutated = text.substring(0, start) + by + text.substring(end);
        mutants.add(new Mutant<>(times == 1 ? name : name + " (" + times + ")", sent -> sent.replace(text, mutated)));
    }

    private String name(String what) {
        String name = shorten(what)
                .replaceAll("--[^\\n]*", "")
                .replaceAll("\\s+", " ")
                .strip();
        if (name.length() > LONGEST) {
            name = name.substring(0, LONGEST / 2) + ".." + name.substring(name.length() - LONGEST / 2);
        }
        return statement + ": " + name;
    }
}
