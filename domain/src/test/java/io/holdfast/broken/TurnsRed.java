package io.holdfast.broken;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The rules that a broken store breaks, as far as the suite can see; no more and no less. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface TurnsRed {
    /** Such as "G1 C2", in the order of the contract. */
    String value();

    /** Rules that a race breaks in some runs only, when two happen to meet in a moment that no test can hold open. */
    String byLuck() default "";
}
