package io.holdfast.contract;

/** An engine whose server tells what it had to refuse: each of these lines costs somebody an evening (E6). */
public interface QuietEngine extends Engine {
    /**
     * How many statements the server has answered with an error, for whomever, since it was started; lines in its error log
     * where every such answer is one. Calls that have returned are counted.
     */
    long serverErrors();

    /** Has the server answer one statement with an error, so that the counting is seen to count. */
    void causeServerError();
}
