package io.holdfast.contract.history;

import java.util.Optional;

/**
 * What came of checking one history.
 *
 * @param operations of clients; those that surely were not applied are not counted
 * @param unknown how many of them had an unknown outcome
 * @param endedAnothers how often somebody ended what another had, in the order that was found
 * @param refused the history, and what in it contradicts itself; empty if there is an order that explains it
 */
public record Verdict(Play<?> play, int operations, int unknown, int endedAnothers, Optional<String> refused) {}
