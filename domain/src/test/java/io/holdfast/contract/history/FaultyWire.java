package io.holdfast.contract.history;

import io.holdfast.Budget;
import io.holdfast.contract.Engine;
import io.holdfast.contract.FaultProxy;
import io.holdfast.contract.FaultProxy.Mode;
import io.holdfast.contract.Ports;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A connection to a server, on which an answer gets lost now and then, or that breaks in the middle of what is being said. */
final class FaultyWire implements Wire, AutoCloseable {
    private final FaultProxy proxy;
    private final Ports ports;
    private Random random = new Random(0);

    FaultyWire(Engine engine, Budget budget) {
        this.proxy = new FaultProxy(engine.host(), engine.port());
        this.ports = engine.through(proxy.port(), budget);
    }

    /** From now on it loses what this says. */
    void seed(Random next) {
        random = next;
    }

    @Override
    public Ports ports() {
        return ports;
    }

    @Override
    public <A> A send(Supplier<A> call) {
        int dice = random.nextInt(100);
        if (dice < 4) {
            // The answer to this call, or to a later part of it, or to the next call.
            proxy.dropReply(1 + random.nextInt(3));
        } else if (dice < 6) {
            CompletableFuture.delayedExecutor(random.nextInt(2_000), TimeUnit.MICROSECONDS)
                    .execute(this::breakOff);
        }
        return call.get();
    }

    private void breakOff() {
        proxy.set(Mode.BLACKHOLE);
        proxy.set(Mode.PASS); // which cuts what was in it
    }

    @Override
    public void close() {
        proxy.close();
    }
}
