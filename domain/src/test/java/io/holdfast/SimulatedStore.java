package io.holdfast;

import io.holdfast.StoreUnavailable.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in the world of a {@link SimulatedMachine}: right in what it decides, and anything in how it answers. It knows
 * what its callers can not, because it looks at both ends of each call.
 */
final class SimulatedStore implements HoldStore<SimulatedStore.Key> {
    private static final Holder SOMEBODY = new Holder("somebody");
    private static final String[] NAMES = {"red", "green", "blue"};

    private final SimulatedMachine machine;
    private final Witness witness;
    private final Duration limit;

    /** After so long a caller gives up waiting. */
    final long timeout;

    private final Map<String, Row> rows = new LinkedHashMap<>();

    /** What had its turn (G5). */
    private final Set<AttemptId> over = new HashSet<>();

    /** What a packet took that came so late that its sender had given up. */
    private final Set<AttemptId> takenLate = new HashSet<>();

    private boolean lateNow;

    /** Until when it answers nobody. */
    private long away;

    /** Tells of more than it keeps: it is broken. */
    boolean exaggerates;

    Temper temper = Temper.CALM;

    /**
     * What may go wrong between it and its callers.
     *
     * @param fault one in so many calls is hit; 0: none
     * @param latency of a call that is not
     */
    record Temper(int fault, long latency) {
        static final Temper CALM = new Temper(0, 2_000_000);
    }

    /** A hold in it. */
    record Key(String name, AttemptId attempt, Fence fence) implements Hold {
        @Override
        public String toString() {
            return name + "/" + fence;
        }
    }

    /** What it says to whoever asks for one. */
    record Taken(Key key, Duration remaining, long entered) {}

    private static final class Row {
        @Nullable
        Key holder;

        @Nullable
        Key ended;

        long fence = 100;
        long until;
        long locked;
    }

    SimulatedStore(SimulatedMachine machine, Witness witness, Duration limit, long timeout) {
        this.machine = machine;
        this.witness = witness;
        this.limit = limit;
        this.timeout = timeout;
        for (String name : NAMES) {
            rows.put(name, new Row());
        }
    }

    String anyName() {
        return NAMES[machine.random.nextInt(NAMES.length)];
    }

    AttemptId attempt() {
        return new AttemptId(new UUID(machine.random.nextLong(), machine.random.nextLong()));
    }

    private Row row(String name) {
        return Objects.requireNonNull(rows.get(name));
    }

    // What a process asks for.

    Optional<Taken> take(String name, AttemptId attempt) {
        long entered = machine.now();
        return told("take " + name, () -> call(name, () -> takeNow(name, attempt, entered)));
    }

    @Override
    public Map<Key, Renewal> renew(Collection<Key> holds) {
        return witness.renewing(
                holds,
                () -> told(
                        "renew " + holds,
                        () -> call(null, () -> {
                            Map<Key, Renewal> said = new HashMap<>();
                            for (Key hold : holds) {
                                Row row = row(hold.name());
                                if (row.locked > machine.now() || machine.oneIn(4 * temper.fault)) {
                                    continue; // no word
                                }
                                if (hold.equals(row.holder)) {
                                    row.until = machine.now() + limit.toNanos();
                                    said.put(hold, new Renewal.Held(exaggerates ? limit.multipliedBy(2) : limit));
                                } else {
                                    said.put(hold, new Renewal.Lost(incumbent(row)));
                                }
                            }
                            return said;
                        })));
    }

    private Optional<Incumbent> incumbent(Row row) {
        return Optional.ofNullable(row.holder)
                .map(by ->
                        new Incumbent(by.attempt(), SOMEBODY, by.fence(), Instant.EPOCH, Duration.ZERO, Duration.ZERO));
    }

    /** True: ended by this hold, now or before. */
    boolean end(Key hold) {
        return told(
                "end " + hold,
                () -> call(hold.name(), () -> {
                    Row row = row(hold.name());
                    if (hold.equals(row.holder)) {
                        over(row);
                        row.until = machine.now();
                        row.ended = hold;
                    }
                    return hold.equals(row.ended);
                }));
    }

    private Optional<Taken> takeNow(String name, AttemptId attempt, long entered) {
        Row row = row(name);
        Key holder = row.holder;
        if (holder == null || !holder.attempt().equals(attempt)) {
            if (machine.now() < row.until || over.contains(attempt)) {
                return Optional.empty();
            }
            over(row);
            if (lateNow) {
                takenLate.add(attempt);
            }
            holder = new Key(name, attempt, new Fence(++row.fence));
            row.holder = holder;
        }
        row.until = machine.now() + limit.toNanos();
        return Optional.of(new Taken(holder, limit, entered));
    }

    private <A> A told(String what, Supplier<A> call) {
        machine.tell(() -> what + " ?");
        try {
            A answer = call.get();
            machine.tell(() -> what + ": " + answer);
            return answer;
        } catch (Throwable e) {
            machine.tell(() -> what + ": " + e);
            throw e;
        }
    }

    /** The way there and back. A call that names a row waits while that row is locked. */
    private <A> A call(@Nullable String name, Supplier<A> write) {
        long latency = machine.upTo(temper.latency);
        if (machine.now() < away) {
            if (machine.random.nextBoolean()) {
                throw new StoreUnavailable(Effect.NOT_APPLIED, "refused", new Exception());
            }
            throw noReply(timeout);
        }
        if (name != null && row(name).locked > machine.now()) {
            machine.pass(timeout);
            throw new StoreUnavailable(Effect.NOT_APPLIED, "locked", new Exception());
        }
        if (!machine.oneIn(temper.fault)) {
            machine.pass(machine.upTo(latency));
            A answer = write.get();
            machine.pass(latency);
            return answer;
        }
        return switch (machine.random.nextInt(8)) {
            case 0 -> throw new StoreUnavailable(Effect.NOT_APPLIED, "refused", new Exception());
            case 1 -> throw noReply(timeout);
            case 2 -> throw replyLost(write, latency);
            case 3 -> throw requestLate(write);
            case 4 -> throw new IllegalStateException("a bug of the store's");
            case 5 -> throw bugAfter(write, latency);
            default -> slowly(write);
        };
    }

    private <A> A slowly(Supplier<A> write) {
        machine.pass(machine.upTo(timeout));
        A answer = write.get();
        machine.pass(machine.upTo(machine.oneIn(4) ? limit.toNanos() : timeout));
        return answer;
    }

    private <A> StoreUnavailable replyLost(Supplier<A> write, long latency) {
        machine.pass(latency);
        A nobodyHears = write.get();
        machine.tell(() -> "written, but no reply: " + nobodyHears);
        return noReply(timeout);
    }

    private <A> StoreUnavailable requestLate(Supplier<A> write) {
        machine.elsewhere(machine.upTo(3 * timeout), () -> {
            lateNow = true;
            A nobodyHears = write.get();
            lateNow = false;
            machine.tell(() -> "written late: " + nobodyHears);
        });
        return noReply(timeout);
    }

    private <A> StackOverflowError bugAfter(Supplier<A> write, long latency) {
        A nobodyHears = write.get();
        machine.tell(() -> "written, and then a bug: " + nobodyHears);
        machine.pass(latency);
        return new StackOverflowError("simulated");
    }

    private StoreUnavailable noReply(long after) {
        machine.pass(after);
        return new StoreUnavailable(Effect.UNKNOWN, "no reply", new Exception());
    }

    // What others do to it.

    /** A stranger takes what is to be had. */
    void takenByAnother(String name) {
        machine.tell(() -> name + " is taken by another if it can be");
        takeNow(name, attempt(), machine.now());
    }

    /** An operator evicts; others take when the holder's time is over (G15). */
    void evicted(String name) {
        machine.tell(() -> name + " is evicted");
        Row row = row(name);
        row.fence++;
        over(row);
    }

    private void over(Row row) {
        if (row.holder != null) {
            over.add(row.holder.attempt());
            row.holder = null;
        }
    }

    void locked(String name, long nanos) {
        machine.tell(() -> name + " is locked for " + nanos / 1_000_000 + " ms");
        row(name).locked = machine.now() + nanos;
    }

    void away(long nanos) {
        machine.tell(() -> "the store is away for " + nanos / 1_000_000 + " ms");
        away = machine.now() + nanos;
    }

    /** All is well again; but for one row. */
    void calm(@Nullable String stillLocked) {
        machine.tell(() -> "all is well again, but for " + stillLocked);
        away = machine.now();
        temper = Temper.CALM;
        rows.forEach((name, row) -> row.locked = name.equals(stillLocked) ? Long.MAX_VALUE : 0);
    }

    // What is so.

    boolean isHeldBy(Key hold) {
        return hold.equals(row(hold.name()).holder);
    }

    boolean isLocked(String name) {
        return row(name).locked > machine.now();
    }

    /** Whether this attempt has it, and not by a packet that came when others had come and gone (0007). */
    boolean isLeftTo(String name, AttemptId attempt) {
        Key holder = row(name).holder;
        return holder != null && holder.attempt().equals(attempt) && !takenLate.contains(attempt);
    }

    /** Whether somebody else has it, and may count on it. */
    boolean isAnothers(Key hold) {
        Key holder = row(hold.name()).holder;
        return holder != null && !holder.equals(hold);
    }
}
