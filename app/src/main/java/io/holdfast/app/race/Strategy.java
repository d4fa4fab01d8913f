package io.holdfast.app.race;

import java.util.Locale;

/** How a process decides whether it publishes. */
enum Strategy {
    /** A set of the apps that are being published, in the memory of each process. */
    IN_MEMORY,
    /** Read whether a deployment is building; if none is, insert one. */
    CHECK_THEN_ACT,
    /** Mark what is building as failed, "superseded", then insert one: how the incident came about. */
    FAIL_THEN_START,
    /** Ours: one conditional write. */
    CLAIM;

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
