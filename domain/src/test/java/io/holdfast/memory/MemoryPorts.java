package io.holdfast.memory;

import io.holdfast.contract.Ports;
import io.holdfast.contract.history.Play;
import io.holdfast.contract.history.Round;
import io.holdfast.contract.history.Verdict;
import io.holdfast.contract.history.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** All stores in memory, under the contract's names. */
public record MemoryPorts(
        MemoryPublishes claims,
        MemoryLeases leases,
        MemoryRefreshTokens refreshTokens,
        MemorySanctions sanctions,
        MemorySaveTokens saveTokens)
        implements Ports {
    /** Empty ones. */
    public MemoryPorts() {
        this(
                new MemoryPublishes(),
                new MemoryLeases(),
                new MemoryRefreshTokens(),
                new MemorySanctions(),
                new MemorySaveTokens());
    }

    public MemoryPorts with(MemoryPublishes other) {
        return new MemoryPorts(other, leases, refreshTokens, sanctions, saveTokens);
    }

    public MemoryPorts with(MemoryLeases other) {
        return new MemoryPorts(claims, other, refreshTokens, sanctions, saveTokens);
    }

    public MemoryPorts with(MemoryRefreshTokens other) {
        return new MemoryPorts(claims, leases, other, sanctions, saveTokens);
    }

    public MemoryPorts with(MemorySanctions other) {
        return new MemoryPorts(claims, leases, refreshTokens, other, saveTokens);
    }

    public MemoryPorts with(MemorySaveTokens other) {
        return new MemoryPorts(claims, leases, refreshTokens, sanctions, other);
    }

    /** Plays a round on them, on wires that lose things. */
    public List<Verdict> play(long seed) {
        Random random = new Random(~seed);
        List<Play<?>> plays = Play.ofEachPort(random, this, claims);
        List<Wire> wires = Stream.<Wire>generate(() -> new LossyWire(this, new Random(random.nextLong())))
                .limit((long) plays.size() * Round.CLIENTS)
                .toList();
        return Round.play(seed, plays, wires, this::letPass);
    }

    /** In all of them. */
    public void letPass(Duration time) {
        claims.letPass(time);
        leases.letPass(time);
        refreshTokens.letPass(time);
        sanctions.letPass(time);
        saveTokens.letPass(time);
    }
}
