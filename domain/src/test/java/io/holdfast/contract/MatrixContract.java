package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.Setting.Choice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Rule E2 of {@code docs/contract.md} for what hosts set together: {@link OperationContract} asks it of one setting at a
 * time. All combinations would be hundreds of thousands; here are so many that every two choices meet, each time beside others.
 *
 * @param <S> what a host sets: a pool, or a client in the making
 */
public interface MatrixContract<S> {
    /** The stores as nobody has set anything; the same ones for all tests of the class. */
    EngineSubject subject();

    /** Name and version of the engine. */
    String met();

    /** All but the JVM's time zone, which is one more. */
    List<Setting<S>> settings();

    /** Runs {@code use} with ports on what a host has set like this, which is closed afterwards. */
    void hosted(Consumer<? super S> set, Consumer<Ports> use);

    @Test
    @Tag("soak")
    default void e2_noTwoSettingsMatterTogether() {
        List<String> findings = new ArrayList<>();
        AtomicInteger tried = new AtomicInteger();
        Seeds seeds = Seeds.each("matrix on " + met(), 1, seed -> {
            Seen seen = look(seed);
            tried.addAndGet(seen.hosts());
            findings.addAll(seen.findings());
        });
        Evidence.of(
                        Method.MATRIX,
                        met(),
                        "E2 G1 G3 G5 G7 G8",
                        "every two of: " + all().map(MatrixContract::told).collect(Collectors.joining(", ")),
                        tried.get(),
                        findings.size(),
                        seeds.toString())
                .tell();
        assertThat(findings).isEmpty();
    }

    /** How many hosts were looked at, and of each that saw something else than it should what that was. */
    record Seen(int hosts, List<String> findings) {}

    /** Looks at so many hosts that every two choices meet. */
    default Seen look(long seed) {
        List<List<Choice<S>>> hosts = hosts(new Random(seed));
        List<String> findings = new ArrayList<>();
        for (List<Choice<S>> host : hosts) {
            try {
                look(host);
            } catch (AssertionError | RuntimeException e) {
                findings.add("seed %d, %s: %s".formatted(seed, host, e));
            }
        }
        return new Seen(hosts.size(), findings);
    }

    private Stream<Setting<S>> all() {
        return Stream.concat(settings().stream(), Stream.of(zone()));
    }

    private static String told(Setting<?> setting) {
        return setting.name() + " (" + setting.choices().size() + ")";
    }

    /** Some of these are ahead of Greenwich and some behind, and in some of them an hour comes twice, or half an hour never. */
    private Setting<S> zone() {
        Setting<S> zone = Setting.of("zone of the JVM");
        for (String id : List.of("America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Kiritimati")) {
            zone = zone.or("JVM in " + id, host -> TimeZone.setDefault(TimeZone.getTimeZone(id)));
        }
        return zone;
    }

    private List<List<Choice<S>>> hosts(Random random) {
        List<Setting<S>> all = all().toList();
        List<Integer> sizes =
                all.stream().map(setting -> setting.choices().size()).toList();
        return Pairs.of(sizes, random).stream()
                .map(row -> IntStream.range(0, row.size())
                        .mapToObj(i -> all.get(i).choices().get(row.get(i)))
                        .toList())
                .toList();
    }

    private void look(List<Choice<S>> host) {
        TimeZone own = TimeZone.getDefault();
        // Time passes for every row there is.
        subject().wipe();
        try {
            hosted(
                    nothing -> {},
                    here -> hosted(
                            made -> host.forEach(choice -> choice.set().accept(made)),
                            there -> new Sight(subject(), here, there).assertAllIsWell()));
        } finally {
            TimeZone.setDefault(own);
        }
    }
}
