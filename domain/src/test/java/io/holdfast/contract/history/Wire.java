package io.holdfast.contract.history;

import io.holdfast.contract.Ports;
import java.util.function.Supplier;

/** The way of one client to the store. What is sent on it may get lost, and so may the answer. For one thread. */
public interface Wire {
    /** The store, at the other end. */
    Ports ports();

    /**
     * Makes a call of these ports, and maybe loses it.
     *
     * @throws io.holdfast.StoreUnavailable if the client hears no answer
     */
    <A> A send(Supplier<A> call);
}
