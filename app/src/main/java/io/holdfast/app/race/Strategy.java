package io.holdfast.app.race;

import java.util.Locale;

/** How a process decides whether it may. */
enum Strategy {
    /** A set, or a lock, in the memory of each process. */
    IN_MEMORY,
    /** Read whether somebody does it, or has done it; if nobody, do it and write that down. */
    CHECK_THEN_ACT,
    /** Mark what is there as over, "superseded", then insert one: how the incident came about. */
    FAIL_THEN_START,
    /** Write, then insert the token into the table of the used ones, whose unique index finds the second too late. */
    ACT_THEN_MARK,
    /** Spend the token in one conditional write, and take for a thief whoever comes with it after that. */
    REVOKE_ON_REUSE,
    /** Insert a lock under a unique index, and take it for left behind when it is older than somebody once thought. */
    GUESSED_EXPIRY,
    /** Ours: one conditional write. */
    CLAIM;

    /** Whether people decide so when it is about that. */
    boolean fits(Scenario scenario) {
        return switch (this) {
            case IN_MEMORY, CHECK_THEN_ACT, CLAIM -> true;
            case FAIL_THEN_START -> scenario.port == Port.PUBLISH || scenario.port == Port.SANCTION;
            case ACT_THEN_MARK -> scenario.port == Port.SAVE;
            case REVOKE_ON_REUSE -> scenario.port == Port.REFRESH;
            case GUESSED_EXPIRY -> scenario.port == Port.RELEASE;
        };
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
