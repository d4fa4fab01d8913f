package io.holdfast.memory;

import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import io.holdfast.contract.Ports;
import io.holdfast.contract.history.Wire;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A wire to a store in memory: what networks do, without one. */
public record LossyWire(Ports ports, Random random) implements Wire {
    @Override
    public <A> A send(Supplier<A> call) {
        int dice = random.nextInt(100);
        if (dice < 4) {
            A unheard = call.get();
            throw lost(Effect.UNKNOWN, unheard);
        }
        if (dice < 6) {
            // It is still on its way.
            CompletableFuture.delayedExecutor(random.nextInt(5), TimeUnit.MILLISECONDS)
                    .execute(new FutureTask<>(call::get));
            throw lost(Effect.UNKNOWN, "nothing yet");
        }
        if (dice < 8) {
            throw lost(random.nextBoolean() ? Effect.UNKNOWN : Effect.NOT_APPLIED, "nothing");
        }
        return call.get();
    }

    private static StoreUnavailable lost(Effect effect, Object said) {
        return new StoreUnavailable(effect, "the answer got lost", new IOException("said: " + said));
    }
}
