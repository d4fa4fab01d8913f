package io.holdfast.release;

import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseStore;
import io.holdfast.lease.UnderLease;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Releases a content, at most once at a time. A release that is alive keeps its lease, however long it takes; whoever comes
 * meanwhile is told who is at it.
 *
 * <p>Thread-safe.
 */
public final class Releasing {
    /** How long a release may stay silent: ten beats of {@link Heartbeats#DEFAULT_INTERVAL}. */
    public static final SilenceLimit DEFAULT_LIMIT = SilenceLimit.of(Duration.ofMinutes(5));

    private final UnderLease lease;

    /** With the defaults. */
    public Releasing(LeaseStore leases, Heartbeats heartbeats, Holder me) {
        this(leases, heartbeats, me, DEFAULT_LIMIT, Budget.DEFAULT);
    }

    /** As {@link UnderLease#UnderLease}. */
    public Releasing(LeaseStore leases, Heartbeats heartbeats, Holder me, SilenceLimit limit, Budget budget) {
        this.lease = new UnderLease(leases, heartbeats, me, limit, budget);
    }

    /** The lease that a release of this content is under, to be found or evicted. */
    public static LeaseName leaseOf(ContentId content) {
        return LeaseName.of("release/" + content.value());
    }

    /**
     * Releases the content, or tells who is at it.
     *
     * @param release asks its pulse before each step, and takes none that is not surely its own
     * @see UnderLease#run(LeaseName, UnderLease.Work)
     */
    public <T extends @Nullable Object, E extends Exception> UnderLease.Run<T> release(
            ContentId content, UnderLease.Work<T, E> release) throws E {
        return lease.run(leaseOf(content), release);
    }
}
