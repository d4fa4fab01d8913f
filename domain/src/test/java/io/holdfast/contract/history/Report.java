package io.holdfast.contract.history;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A history that has no order, for whoever has to understand it. */
final class Report {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}");

    /** A value of one part, as a record shows it. */
    private static final Pattern ONE_PART = Pattern.compile("\\w+\\[(?:value|label)=([^\\[\\]]*)]");

    private Report() {}

    static <S> String of(S start, List<Event<S>> events) {
        long first = events.stream().mapToLong(Event::called).min().orElse(0);
        return named("""
                no order of these operations explains what was told, whatever became of the others:
                %s
                all of them:
                %s""".formatted(lines(Linearizability.contradiction(start, events), first), lines(events, first)));
    }

    private static <S> String lines(List<Event<S>> events, long first) {
        return events.stream()
                .sorted(Comparator.comparingLong(Event::called))
                .map(event -> line(event, first))
                .collect(Collectors.joining("\n"));
    }

    /** Client, call and return in microseconds, what, answer. */
    private static String line(Event<?> event, long first) {
        return "%-9s %6d %s  %s -> %s"
                .formatted(
                        event.client(),
                        (event.called() - first) / 1_000,
                        event.isUnknown() ? "   ..." : "%6d".formatted((event.returned() - first) / 1_000),
                        event.asked(),
                        event.answer());
    }

    /** Ids by short names, in the order of their first appearance. */
    private static String named(String text) {
        Map<String, String> names = new LinkedHashMap<>();
        return ID.matcher(ONE_PART.matcher(text).replaceAll("$1"))
                .replaceAll(id -> names.computeIfAbsent(id.group(), unseen -> "#" + (names.size() + 1)));
    }
}
