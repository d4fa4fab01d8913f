/**
 * The incident, reproducible: several processes publish one app at the same moment, in the ways that people write it and
 * in ours, and a counting orchestrator tells what really arrived. The same for saving with one token, rotating one refresh
 * token, releasing one content and sanctioning one account: each is a {@link io.holdfast.app.race.Port}.
 *
 * <p>{@link io.holdfast.app.race.RaceCommand} reads the options; a {@link io.holdfast.app.race.Race} conducts the rounds
 * and judges them; each {@link io.holdfast.app.race.Contender} is a process of its own, which presses the button in one of the
 * {@link io.holdfast.app.race.Way ways} when it is told to. Parent and contenders talk in lines of JSON over pipes.
 */
@NullMarked
package io.holdfast.app.race;

import org.jspecify.annotations.NullMarked;
