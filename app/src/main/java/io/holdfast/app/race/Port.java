package io.holdfast.app.race;

import java.util.Locale;

/** What the scenarios are about, and the words for it. */
enum Port {
    PUBLISH("deployment", "an app was deployed more than once at the same time", Again.NOBODY),
    SAVE("write", "the content of one token was written more than once", Again.WITH_THE_SAME),
    REFRESH("successor", "a token got more than one successor", Again.WITH_THE_ANSWER),
    RELEASE("release", "a content was released more than once at the same time", Again.NOBODY),
    SANCTION("sanction", "an account was sanctioned more than once at the same time", Again.NOBODY);

    /** Who comes again when the race is over, as clients do, and is to find that all is well. */
    enum Again {
        NOBODY(""),
        /** All of them, with what the preparation gave: a client that has lost the reply. */
        WITH_THE_SAME("whoever saved again got the result of that one"),
        /** Whoever was given something, with that: the next use of it. */
        WITH_THE_ANSWER("nobody had to log in again");

        /** What is so when all is well. */
        final String well;

        Again(String well) {
            this.well = well;
        }
    }

    /** What is counted. */
    final String effect;

    /** What has happened when there is more than one. */
    final String doubled;

    final Again again;

    Port(String effect, String doubled, Again again) {
        this.effect = effect;
        this.doubled = doubled;
        this.again = again;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
