package io.holdfast.app.serve;

import io.holdfast.AttemptId;
import io.holdfast.NotDone;
import io.holdfast.save.Reservation;
import io.holdfast.save.SaveResult;
import java.io.IOException;
import java.util.Optional;

/** Who saves contents: a {@link io.holdfast.save.ContentWriter} that is given the content. */
interface Writer {
    /**
     * Saves, and returns when it is done.
     *
     * @param takenOverFrom the attempt whose holder had fallen silent, and that may have saved
     * @throws NotDone if surely nothing was saved
     * @throws IOException if nobody knows whether it was
     */
    SaveResult write(Payload payload, Reservation reservation, Optional<AttemptId> takenOverFrom)
            throws NotDone, IOException;
}
