package io.holdfast.contract;

/**
 * What every store of save tokens must do: rules G1 to G14 and S1 to S8 of {@code docs/contract.md}. Used as {@link
 * PublishContract} is.
 */
public interface SaveContract extends SaveTakeContract, SaveHoldContract, SaveRulesContract {
    /** The store under test; the same one for the whole of a test, empty or not. */
    @Override
    SaveSubject subject();
}
