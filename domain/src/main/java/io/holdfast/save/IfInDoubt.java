package io.holdfast.save;

/** What becomes of a token whose holder fell silent, so that nobody knows whether it has written (S6). */
public enum IfInDoubt {
    /** The next one may reserve it and write again: for content that can be written twice without harm. */
    RUN_AGAIN,

    /** Nobody may, until the holder comes back after all, or an operator has looked and {@linkplain SaveTokenStore#settle settled} it. */
    REFUSE
}
