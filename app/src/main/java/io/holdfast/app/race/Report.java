package io.holdfast.app.race;

import org.jspecify.annotations.Nullable;

/**
 * What a contender has to say of an order: first its answer, and later, if that started something, how it ended.
 *
 * @param ticket of the order; the contender's name when it has got ready
 */
record Report(
        String ticket, @Nullable Answer answer, @Nullable String end) {
    static Report answered(String ticket, Answer answer) {
        return new Report(ticket, answer, null);
    }

    /**
     * @param end {@link #DONE}, or in words what else has become of it
     */
    static Report ended(String ticket, String end) {
        return new Report(ticket, null, end);
    }

    static final String DONE = "done";
}
