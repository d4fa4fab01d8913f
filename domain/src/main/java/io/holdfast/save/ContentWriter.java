package io.holdfast.save;

import io.holdfast.AttemptId;
import io.holdfast.NotDone;
import io.holdfast.Pulse;
import java.util.Optional;

/**
 * Writes what a token is for; the host brings it. {@link Reservation#idempotencyKey()} is the same however often the same
 * token is written for, and a fence smaller than one that was seen for it is to be refused: that write comes from a holder
 * that was taken over.
 *
 * @param <E> what it throws besides {@link NotDone}
 */
@FunctionalInterface
public interface ContentWriter<E extends Exception> {
    /**
     * Writes, on the thread of whoever saves.
     *
     * @param takenOverFrom the last attempt whose holder had fallen silent, and that may have written
     * @param pulse whether the token is still this attempt's
     * @return what everybody gets who comes with this token from now on
     * @throws NotDone if surely nothing was written by this attempt: the token is given back, and who was taken over stays in
     *     doubt. Whatever else is thrown means that nobody knows
     */
    SaveResult write(Reservation reservation, Optional<AttemptId> takenOverFrom, Pulse pulse) throws NotDone, E;
}
