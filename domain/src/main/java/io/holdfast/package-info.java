/**
 * Run it exactly once, on the database you already have. This package is the map of the domain.
 *
 * <p>When several servers get the same request at the same moment, one conditional write in the database decides who
 * does the work: the winner gets a {@link io.holdfast.Hold}, everybody else is told who the {@link
 * io.holdfast.Incumbent} is. A hold is named by its key, its {@link io.holdfast.AttemptId} and its {@link
 * io.holdfast.Fence}, and every later write names all three, so that whoever was taken over changes nothing.
 *
 * <p>A hold lives for as long as its holder shows signs of life. {@link io.holdfast.Heartbeats} sends them and gives the
 * holder a {@link io.holdfast.Pulse}: surely mine, unsure, lost. Time alone ends nothing: a silent hold may be
 * <em>taken</em>, and until somebody takes it its holder may come back.
 *
 * <p>Each feature is a package with its port and its use case, {@link io.holdfast.publish} being the first. Ports are
 * implemented by the adapters, one per database, and {@code io.holdfast.contract} (the test-jar of this module) says
 * what each of them must do; the rules named in the documentation here (G1, C3, ...) are the rules of {@code
 * docs/contract.md}.
 *
 * <p>Nothing here is null unless it says so. Values are immutable and thread-safe. Durations are relative, told by the
 * database's clock; an {@link java.time.Instant} is for display only and decides nothing.
 */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
