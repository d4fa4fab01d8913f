package io.holdfast.contract;

/**
 * What every store of sanctions must do: of the rules G those that mean something here, and B1 to B5. For the rest it is as
 * {@link PublishContract}.
 */
public interface SanctionContract extends ImposeContract, TermContract {
    /** The store under test; the same one for the whole of a test, empty or not. */
    @Override
    SanctionSubject subject();
}
