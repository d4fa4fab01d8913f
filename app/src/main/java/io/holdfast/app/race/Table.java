package io.holdfast.app.race;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/** A {@link Result} for a person: a line per race, and what it means. */
final class Table {
    private static final int SHOWN_VIOLATIONS = 10;
    private static final int WIDTH = 80;

    private final Result result;
    private final Ansi ansi;

    Table(Result result, Ansi ansi) {
        this.result = result;
        this.ansi = ansi;
    }

    String text() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(bold("                                             effects a round    losers told"));
        lines.add(bold("strategy         scenario        spread  rounds   least    most    true  untrue"));
        Cell last = null;
        for (Tally tally : result.tallies()) {
            Cell cell = tally.cell();
            if (last == null || cell.strategy() != last.strategy() || cell.scenario().port != last.scenario().port) {
                lines.add("");
            }
            last = cell;
            lines.add(line(tally));
        }
        lines.add("");
        if (result.tallies().stream().anyMatch(tally -> tally.cell().scenario().isSlow())) {
            lines.add("In slow-build and slow-release what was running before is counted, too.");
        }
        lines.addAll(meaning());
        return String.join("\n", lines);
    }

    private String line(Tally tally) {
        Cell cell = tally.cell();
        boolean ours = isOurs(tally);
        return "%-16s %-15s %3d ms  %6d  "
                        .formatted(
                                cell.strategy().label(), cell.scenario().label(), cell.spreadMillis(), tally.rounds())
                + figure(6, tally.least(), tally.least() != 1, ours)
                + figure(8, tally.most(), tally.most() != 1, ours)
                + figure(8, tally.truths(), false, ours)
                + figure(8, tally.untruthsInAll(), tally.untruthsInAll() > 0, ours);
    }

    private String figure(int width, int value, boolean bad, boolean ours) {
        String text = String.format("%" + width + "d", value);
        return bad ? red(text) : ours ? green(text) : text;
    }

    private List<String> meaning() {
        List<String> sentences = new ArrayList<>();
        for (Port port : Port.values()) {
            List<Tally> others = result.tallies().stream()
                    .filter(tally -> !isOurs(tally) && tally.cell().scenario().port == port)
                    .toList();
            if (!others.isEmpty()) {
                sentences.add(wrapped(othersMeaning(port, others)));
            }
        }
        List<Tally> ours = result.tallies().stream().filter(Table::isOurs).toList();
        if (!ours.isEmpty()) {
            sentences.add(result.kept() ? green(wrapped(kept(ours))) : red(broken()));
        }
        return sentences;
    }

    private static boolean isOurs(Tally tally) {
        return tally.cell().strategy() == Strategy.CLAIM;
    }

    private static String othersMeaning(Port port, List<Tally> tallies) {
        String names = joined(
                tallies.stream()
                        .map(tally -> tally.cell().strategy().label())
                        .distinct()
                        .toList(),
                " and ");
        int rounds = tallies.stream().mapToInt(Tally::rounds).sum();
        int doubled = tallies.stream()
                .flatMap(tally -> tally.roundsByEffects().entrySet().stream())
                .filter(entry -> entry.getKey() > 1)
                .mapToInt(Map.Entry::getValue)
                .sum();
        int most = tallies.stream().mapToInt(Tally::most).max().orElse(0);
        String started = doubled == 0
                ? "%s: one %s in each of %,d rounds, this time".formatted(names, port.effect, rounds)
                : "%s: %s in %,d of %,d rounds, up to %d times".formatted(names, port.doubled, doubled, rounds, most);
        List<String> told = new ArrayList<>();
        for (Untruth untruth : Untruth.values()) {
            int count = tallies.stream()
                    .mapToInt(tally -> tally.untruths().getOrDefault(untruth, 0))
                    .sum();
            if (count > 0) {
                told.add("%,d %s told %s".formatted(count, count == 1 ? "loser was" : "losers were", untruth.words));
            }
        }
        return started + (told.isEmpty() ? "" : "; " + joined(told, " and ")) + ".";
    }

    private static String kept(List<Tally> tallies) {
        int rounds = tallies.stream().mapToInt(Tally::rounds).sum();
        int truths = tallies.stream().mapToInt(Tally::truths).sum();
        List<Port> ports = tallies.stream()
                .map(tally -> tally.cell().scenario().port)
                .distinct()
                .toList();
        String effects = joined(ports.stream().map(port -> port.effect).toList(), " or ");
        return "claim: exactly one %s in each of the %,d rounds, and all %,d losers were told which one it is"
                        .formatted(effects, rounds, truths)
                + ports.stream()
                        .map(port -> port.again.well)
                        .filter(well -> !well.isEmpty())
                        .map(well -> "; " + well)
                        .collect(Collectors.joining())
                + ".";
    }

    private String broken() {
        List<String> violations = result.violations();
        String shown = violations.stream()
                .limit(SHOWN_VIOLATIONS)
                .map(words -> "\n  " + words)
                .collect(Collectors.joining());
        int more = violations.size() - SHOWN_VIOLATIONS;
        return "claim: broke its promise, %,d times:".formatted(violations.size())
                + shown
                + (more > 0 ? "\n  and %,d more; --json has them all".formatted(more) : "");
    }

    /** At most as wide as most terminals are. */
    private static String wrapped(String sentence) {
        StringBuilder lines = new StringBuilder();
        int width = 0;
        for (String word : sentence.split(" ", -1)) {
            boolean fits = width + word.length() < WIDTH;
            if (width > 0) {
                lines.append(fits ? " " : "\n");
            }
            width = (fits ? width : 0) + word.length() + 1;
            lines.append(word);
        }
        return lines.toString();
    }

    private static String joined(List<String> words, String last) {
        return words.size() < 2
                ? String.join("", words)
                : String.join(", ", words.subList(0, words.size() - 1)) + last + words.get(words.size() - 1);
    }

    private String bold(String text) {
        return styled("bold", text);
    }

    private String red(String text) {
        return styled("fg_red", text);
    }

    private String green(String text) {
        return styled("fg_green", text);
    }

    /** Not by picocli's markup: an error's text may look like it. */
    private String styled(String style, String text) {
        return ansi.enabled()
                ? Ansi.Style.valueOf(style).on()
                        + text
                        + Ansi.Style.valueOf(style).off()
                : text;
    }
}
