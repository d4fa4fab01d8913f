package io.holdfast.app.serve;

import io.holdfast.AttemptId;
import io.holdfast.save.Reservation;
import io.holdfast.save.SaveResult;
import java.util.Optional;

/** Saves nothing. For trying the service out. */
final class SimulatedWriter implements Writer {
    @Override
    public SaveResult write(Payload payload, Reservation reservation, Optional<AttemptId> takenOverFrom) {
        return SaveResult.of(Json.write(Views.members(
                "simulated",
                true,
                "bytes",
                payload.content().length,
                "attempt",
                reservation.attempt().toString())));
    }
}
