package io.holdfast.contract;

/**
 * What every store of publishes must do. A store's test class implements this, and answers {@link #subject()} with the
 * store under test; it may have no opinion of its own on any rule. The rules, and how to run the suite on a store of your
 * own: {@code docs/contract.md}.
 *
 * <p>The suite takes well under a minute on a database of this machine. {@code -Dholdfast.contract.times=50} makes every
 * race 50 times as long.
 */
public interface PublishContract extends HoldContract, ClaimContract {
    /** The store under test; the same one for the whole of a test, empty or not. */
    @Override
    PublishSubject subject();
}
