package io.holdfast.publish;

import java.time.Instant;
import java.util.function.Supplier;

/** On purpose: a domain that looks at the wall clock, if only by a method reference. */
final class PlantedClock {
    static final Supplier<Instant> NOW = Instant::now;

    private PlantedClock() {}
}
