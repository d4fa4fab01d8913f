package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.contract.Evidence;
import io.holdfast.contract.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real heart in a simulated process, in as many schedules as half a minute has room for. */
class HeartSimulationTest {
    private static final int SCHEDULES = 100_000;

    /** Held, because a logger that nobody holds forgets its level. */
    private static final Logger LOG = Logger.getLogger(Heartbeats.class.getName());

    private final Strands strands = new Strands();

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void asBefore() {
        LOG.setLevel(null);
    }

    @Test
    @Tag("soak")
    void whateverHappensAHeartKeepsItsPromises() {
        List<String> broken = new ArrayList<>();
        Seeds seeds = Seeds.each(
                "schedules of heartbeats",
                SCHEDULES,
                1_796_007_571_138_000_000L,
                seed -> new HeartSchedule(strands, seed, null).run().ifPresent(promise -> {
                    HeartSchedule again = new HeartSchedule(strands, seed, null).told();
                    again.run();
                    broken.add("with -Dholdfast.seed=" + seed + ": " + promise + "\n" + again.story());
                }));
        Evidence.of(
                        Evidence.Method.SCHEDULES,
                        "memory",
                        "G3 G14 E9",
                        "heartbeats in simulated time: lost, late and wrong answers, pauses, slow clocks, close at any moment",
                        seeds.rounds(),
                        broken.size(),
                        seeds.toString())
                .tell();
        assertThat(broken.stream().limit(3)).isEmpty();
    }

    /** A simulation in which nothing can go wrong shows nothing. */
    @ParameterizedTest
    @EnumSource(HeartSchedule.Mistake.class)
    void eachPromiseIsSeenToBreak(HeartSchedule.Mistake mistake) {
        for (long seed = 1; seed <= 2_000; seed++) {
            Optional<Throwable> broken = new HeartSchedule(strands, seed, mistake).run();
            if (broken.isPresent() && broken.get() instanceof Witness.Broken how && how.promise == mistake.breaks) {
                return;
            }
        }
        throw new AssertionError(mistake + " was never found to break " + mistake.breaks);
    }

    @Test
    void aSeedDecidesAll() {
        for (long seed = 1; seed <= 100; seed++) {
            assertThat(story(seed)).isNotEmpty().isEqualTo(story(seed));
        }
    }

    private String story(long seed) {
        HeartSchedule schedule = new HeartSchedule(strands, seed, null).told();
        schedule.run();
        return schedule.story();
    }
}
