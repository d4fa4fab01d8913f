package io.holdfast.contract;

import io.holdfast.Fence;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseStore;
import java.time.Duration;

/** A store of leases under test, and the hands that do to it what time, operators and accidents do. */
public interface LeaseSubject {
    LeaseStore leases();

    /** As {@link PublishSubject#letPass}. */
    void letPass(Duration time);

    /** Empties the store. */
    void wipe();

    /** Deletes the lease's row by hand, as an operator would. */
    void deleteByHand(LeaseName name);

    /** Sets the fence of a lease that was taken before. */
    void setFence(LeaseName name, Fence fence);

    /** Everything that the store holds about the lease, in a form that differs if a byte of it does; or always the same. */
    String dump(LeaseName name);
}
