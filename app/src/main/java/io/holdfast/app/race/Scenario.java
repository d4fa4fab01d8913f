package io.holdfast.app.race;

import java.util.Locale;

/** What the contenders find when they come. In each of them there should be exactly one effect. */
enum Scenario {
    /** The app and its name are new. */
    FIRST_PUBLISH(Port.PUBLISH),
    /** The app is live; the last attempt to publish it failed. */
    REPUBLISH(Port.PUBLISH),
    /** A deployment is marked as building, and its owner has been silent for ten minutes. */
    DEAD_OWNER(Port.PUBLISH),
    /** A deployment is building, alive, and older than the silence limit. */
    SLOW_BUILD(Port.PUBLISH),
    /** All save with one token that nobody has used: a form that was sent again and again. */
    SAVE(Port.SAVE),
    /** All have the same refresh token: tabs of one honest user. */
    REFRESH(Port.REFRESH),
    /** A content is released that never was before. */
    FIRST_RELEASE(Port.RELEASE),
    /** A release is running, alive, and older than the silence limit. */
    SLOW_RELEASE(Port.RELEASE),
    /** Operators who sanction an account, each of whom mails the user; it was sanctioned before, and that was lifted. */
    SANCTION(Port.SANCTION);

    final Port port;

    Scenario(Port port) {
        this.port = port;
    }

    /** Whether something is running that has outlasted the silence limit. */
    boolean isSlow() {
        return this == SLOW_BUILD || this == SLOW_RELEASE;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
