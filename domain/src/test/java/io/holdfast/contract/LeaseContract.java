package io.holdfast.contract;

/**
 * What every store of leases must do: rules G1 to G15 and L1 to L4 of {@code docs/contract.md}. A store's test class
 * implements this, and answers {@link #subject()} with the store under test; it may have no opinion of its own on any rule.
 *
 * <p>As {@link PublishContract}, which says more.
 */
public interface LeaseContract extends LeaseTakeContract, LeaseHoldContract, LeaseEndContract {
    /** The store under test; the same one for the whole of a test, empty or not. */
    @Override
    LeaseSubject subject();
}
