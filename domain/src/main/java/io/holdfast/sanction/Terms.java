package io.holdfast.sanction;

import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.Text;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an operator decides.
 *
 * @param reason in words for a person; cleaned and cut to {@value #MAX_REASON} bytes, never refused
 * @param by who decides, for a person
 * @param lasting for how long, more than 0 and at most 365 days, a fraction of a millisecond rounded up (G11); empty: until it
 *     is lifted
 */
public record Terms(Account account, String reason, Holder by, Optional<Duration> lasting) {
    /** The most bytes of UTF-8 that are kept of a reason. */
    public static final int MAX_REASON = 1_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    public Terms(Account account, @Nullable String reason, Holder by, Optional<Duration> lasting) {
        this.account = account;
        this.reason = Text.outcome(reason, MAX_REASON);
        this.by = by;
        this.lasting = lasting.map(Terms::whole);
    }

    private static Duration whole(Duration lasting) {
        if (lasting.isNegative() || lasting.isZero()) {
            throw new IllegalArgumentException("sanction must last more than 0: " + lasting);
        }
        if (lasting.compareTo(SilenceLimit.MAX) > 0) {
            throw new IllegalArgumentException("sanction must last at most 365 days, or have no end: " + lasting);
        }
        return Duration.ofMillis(lasting.plusNanos(NANOS_PER_MILLI - 1).toMillis());
    }
}
