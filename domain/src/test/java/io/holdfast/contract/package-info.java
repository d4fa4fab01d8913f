/**
 * The contract suite: what every store must do, as tests. Published as the test-jar of this module. A team with a store of
 * its own implements {@link io.holdfast.contract.PublishSubject} and a test class {@code implements PublishContract}; an
 * adapter implements {@link io.holdfast.contract.Engine} besides, and runs {@code EngineContract}.
 */
@NullMarked
package io.holdfast.contract;

import org.jspecify.annotations.NullMarked;
