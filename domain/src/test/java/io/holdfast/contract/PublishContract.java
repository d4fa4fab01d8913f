package io.holdfast.contract;

/**
 * What every store of publishes must do: rules G1 to G15 and C1 to C12 of {@code docs/contract.md}, where it also
 * says how to run the suite on a store of your own. A store's test class implements this, and answers {@link #subject()}
 * with the store under test; it may have no opinion of its own on any rule.
 *
 * <p>A test is named after its rule. None sleeps, and each has rows of its own, so that what others left in the store does
 * not matter. "K" names a report in which others were wrong; the Javadoc of the test that it became says what had happened.
 *
 * <p>The suite takes well under a minute on a database of this machine. {@code -Dholdfast.contract.times=50} makes every
 * race 50 times as long.
 */
public interface PublishContract
        extends TakeContract,
                HoldContract,
                EvictionContract,
                ValueContract,
                ClaimContract,
                CleanUpContract,
                HistoryContract {
    /** The store under test; the same one for the whole of a test, empty or not. */
    @Override
    PublishSubject subject();
}
