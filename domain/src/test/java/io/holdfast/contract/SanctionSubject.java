package io.holdfast.contract;

import io.holdfast.sanction.Account;
import io.holdfast.sanction.SanctionStore;
import java.time.Duration;

/** A store of sanctions under test, and the hands that do to it what time, operators and accidents do. */
public interface SanctionSubject {
    SanctionStore sanctions();

    /**
     * Lets time pass: moves every time in the store back by {@code time}; a negative one forward, as if the database's clock
     * had been set back.
     */
    void letPass(Duration time);

    /** Empties the store. */
    void wipe();

    /** Deletes all that is kept of the account by hand. */
    void deleteByHand(Account account);

    /**
     * Everything that the store holds about the account, in a form that differs if a byte of it does. Of an account that the
     * store holds nothing about: always the same.
     */
    String dump(Account account);
}
