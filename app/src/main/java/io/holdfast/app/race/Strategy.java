package io.holdfast.app.race;

import java.util.Locale;

/** How a process decides whether it may. */
enum Strategy {
    /** A set in the memory of each process: of what is being done, or was. */
    IN_MEMORY,
    /** Read whether somebody does it or has done it; if nobody, write that we do. */
    CHECK_THEN_ACT,
    /** Mark what is there as over, "superseded", then insert one: how the incident came about. */
    FAIL_THEN_START,
    /** Ours: one conditional write. */
    CLAIM;

    /** Whether people decide so when it is about that. */
    boolean fits(Scenario scenario) {
        return switch (this) {
            case IN_MEMORY, CHECK_THEN_ACT, CLAIM -> true;
            case FAIL_THEN_START -> scenario.port == Port.PUBLISH;
        };
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
