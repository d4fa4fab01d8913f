package io.holdfast.memory;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.contract.SaveSubject;
import io.holdfast.save.Ending;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Over;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.TokenDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store of save tokens in memory, and the model of what the rules mean: everything under one lock, which stands for the
 * one statement that decides. Thread-safe. Its clock is this machine's, moved by what was let pass.
 *
 * <p>Open for the stores that are wrong on purpose: what is protected is one decision each, and the operations lock inside,
 * so that a store may do without.
 */
public class MemorySaveTokens implements SaveSubject, SaveTokenStore {
    private final Map<TokenDigest, Row> rows = new HashMap<>();
    private Duration passed = Duration.ZERO;

    /** One token. */
    protected static final class Row {
        public final TokenDigest token;
        public final IfInDoubt ifInDoubt;

        /** When it can no longer be reserved, or when its result was told. */
        public long overAt;

        /** The last one that took it. */
        public @Nullable AttemptId attempt;

        public @Nullable AttemptId takenOver;
        public @Nullable Fingerprint payload;
        public @Nullable SaveResult result;
        public boolean held;
        public Holder holder = new Holder("nobody");
        public Duration limit = Duration.ZERO;
        public long fence;
        public long since;
        public long beat;
        public long freeAt;

        Row(TokenDigest token, IfInDoubt ifInDoubt, long overAt) {
            this.token = token;
            this.ifInDoubt = ifInDoubt;
            this.overAt = overAt;
        }

        @Override
        public String toString() {
            return "%s %s overAt=%d attempt=%s takenOver=%s payload=%s result=%s held=%s %s limit=%s fence=%d since=%d beat=%d freeAt=%d"
                    .formatted(
                            token,
                            ifInDoubt,
                            overAt,
                            attempt,
                            takenOver,
                            payload,
                            result == null ? null : HexFormat.of().formatHex(result.bytes()),
                            held,
                            holder,
                            limit,
                            fence,
                            since,
                            beat,
                            freeAt);
        }
    }

    /** By what a token is found. */
    protected TokenDigest key(TokenDigest token) {
        return token;
    }

    // Deciding.

    @Override
    public synchronized void issue(TokenDigest token, Duration validFor, IfInDoubt ifInDoubt) {
        rows.putIfAbsent(key(token), new Row(token, ifInDoubt, now() + micros(SaveTokenStore.validity(validFor))));
    }

    @Override
    public ReserveOutcome reserve(ReserveRequest wish) {
        synchronized (this) {
            return answered(wish).orElseGet(() -> take(wish));
        }
    }

    /** What is said instead of taking, in the order of S4; empty if the token is to be taken. */
    protected synchronized Optional<ReserveOutcome> answered(ReserveRequest wish) {
        Optional<Row> known = row(wish.token());
        if (known.isEmpty()) {
            return Optional.of(new Refusal.Unknown());
        }
        Row row = known.get();
        return otherPayload(row, wish)
                .or(() -> completed(row))
                .or(() -> thisAttempt(row, wish))
                .or(() -> inProgress(row, wish))
                .or(() -> expired(row));
    }

    protected Optional<ReserveOutcome> otherPayload(Row row, ReserveRequest wish) {
        return row.payload == null || row.payload.equals(wish.payload())
                ? Optional.empty()
                : Optional.of(new Refusal.OtherPayload());
    }

    protected Optional<ReserveOutcome> completed(Row row) {
        return Optional.ofNullable(row.result).map(Refusal.Completed::new);
    }

    protected Optional<ReserveOutcome> thisAttempt(Row row, ReserveRequest wish) {
        if (!wish.attempt().equals(row.attempt)) {
            return Optional.empty();
        }
        if (!row.held) {
            return Optional.of(new Over());
        }
        prolong(row);
        return Optional.of(reserved(row));
    }

    protected Optional<ReserveOutcome> inProgress(Row row, ReserveRequest wish) {
        if (row.held && !silent(row, wish)) {
            return Optional.of(new Refusal.InProgress(incumbent(row)));
        }
        return isOpen(row) && (row.ifInDoubt == IfInDoubt.REFUSE || expired(row).isPresent())
                ? Optional.of(new Refusal.InDoubt(incumbent(row)))
                : Optional.empty();
    }

    /** Somebody has it, or was taken over and may have written. */
    protected boolean isOpen(Row row) {
        return row.held || (row.takenOver != null && row.result == null);
    }

    /** The holder's own limit is over (G7). */
    protected boolean silent(Row row, ReserveRequest taker) {
        return row.freeAt <= now();
    }

    protected Optional<ReserveOutcome> expired(Row row) {
        return row.overAt <= now() ? Optional.of(new Refusal.Expired()) : Optional.empty();
    }

    protected synchronized ReserveOutcome take(ReserveRequest wish) {
        Row row = row(wish.token()).orElseThrow();
        row.fence = nextFence(row).value();
        row.takenOver = row.held ? row.attempt : row.takenOver;
        row.attempt = wish.attempt();
        row.held = true;
        row.holder = wish.holder();
        row.payload = wish.payload();
        row.limit = wish.limit().value();
        row.since = now();
        row.beat = now();
        row.freeAt = now() + limitMicros(row.limit);
        return reserved(row);
    }

    protected Fence nextFence(Row row) {
        if (row.fence == Long.MAX_VALUE) {
            throw SaveTokenStore.fenceExhausted(row.token);
        }
        return new Fence(Math.max(row.fence + 1, now()));
    }

    @Override
    public Map<Reservation, Renewal> renew(Collection<Reservation> holds) {
        synchronized (this) {
            Map<Reservation, Renewal> said = new HashMap<>();
            holds.forEach(hold -> said.put(hold, renew(hold)));
            return said;
        }
    }

    protected Renewal renew(Reservation hold) {
        Optional<Row> held = row(hold.token()).filter(row -> row.held && names(hold, row));
        held.ifPresent(this::prolong);
        return held.<Renewal>map(row -> new Renewal.Held(remaining(row)))
                .orElseGet(() -> new Renewal.Lost(holder(hold.token())));
    }

    /** Only the holder's writes count: key, attempt and fence (G6). */
    protected boolean names(Reservation hold, Row row) {
        return hold.attempt().equals(row.attempt) && hold.fence().value() == row.fence;
    }

    protected void prolong(Row row) {
        row.beat = Math.max(row.beat, now());
        row.freeAt = Math.max(row.freeAt, now() + limitMicros(row.limit));
    }

    @Override
    public EndOutcome end(Reservation hold, Ending ending) {
        synchronized (this) {
            row(hold.token())
                    .filter(row -> row.held && names(hold, row))
                    .ifPresent(row -> ending.fold(result -> complete(row, result), notSaved -> giveBack(row)));
            return row(hold.token())
                    .filter(row -> !row.held && names(hold, row))
                    .map(this::standing)
                    .orElseGet(() -> new Lost(holder(hold.token())));
        }
    }

    @Override
    public EndOutcome settle(TokenDigest token, Fence seen, Ending ending) {
        synchronized (this) {
            row(token)
                    .filter(row -> isOpen(row) && seen(seen, row) && inDoubt(row))
                    .ifPresent(row -> ending.fold(result -> complete(row, result), notSaved -> clear(row)));
            return row(token)
                    .filter(row -> !row.held && seen(seen, row))
                    .map(this::standing)
                    .orElseGet(() -> new Lost(holder(token)));
        }
    }

    protected boolean seen(Fence fence, Row row) {
        return row.fence == fence.value();
    }

    protected boolean inDoubt(Row row) {
        return row.freeAt <= now();
    }

    private EndOutcome standing(Row row) {
        return row.result == null ? new Ending.NotSaved() : row.result;
    }

    protected Row complete(Row row, SaveResult result) {
        row.held = false;
        row.result = result;
        row.overAt = now();
        return row;
    }

    /** Of whom it took over, it says nothing. */
    protected Row giveBack(Row row) {
        row.held = false;
        row.freeAt = 0;
        if (row.takenOver == null) {
            row.payload = null;
        }
        return row;
    }

    /** The word of whoever has looked is about all of them. */
    protected Row clear(Row row) {
        row.takenOver = null;
        return giveBack(row);
    }

    @Override
    public synchronized int forget(Duration keep, int atMost) {
        SaveTokenStore.clearing(keep, atMost);
        List<Row> over = rows.values().stream()
                .filter(row -> isOver(row, micros(keep)))
                .sorted(Comparator.comparingLong(row -> row.overAt))
                .limit(atMost)
                .toList();
        over.forEach(row -> rows.remove(key(row.token)));
        return over.size();
    }

    protected boolean isOver(Row row, long keepMicros) {
        return !isOpen(row) && row.overAt <= now() - keepMicros;
    }

    // Telling.

    private Reserved reserved(Row row) {
        return new Reserved(
                new Reservation(row.token, attempt(row), new Fence(row.fence)),
                remaining(row),
                Optional.ofNullable(row.takenOver));
    }

    protected Incumbent incumbent(Row row) {
        return new Incumbent(
                attempt(row),
                row.holder,
                new Fence(row.fence),
                Instant.EPOCH.plus(row.since, ChronoUnit.MICROS),
                duration(now() - row.beat),
                remaining(row));
    }

    private Optional<Incumbent> holder(TokenDigest token) {
        return row(token).filter(row -> row.held).map(this::incumbent);
    }

    private static AttemptId attempt(Row row) {
        return Optional.ofNullable(row.attempt).orElseThrow();
    }

    protected Duration remaining(Row row) {
        return duration(Math.max(0, row.freeAt - now()));
    }

    protected Optional<Row> row(TokenDigest token) {
        return Optional.ofNullable(rows.get(key(token)));
    }

    // Time: microseconds since 1970.

    protected long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plus(passed));
    }

    /** A limit as it is stored. */
    protected long limitMicros(Duration limit) {
        return micros(limit);
    }

    protected static long micros(Duration time) {
        return TimeUnit.NANOSECONDS.toMicros(time.toNanos());
    }

    private static Duration duration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    // What befalls a store.

    @Override
    public SaveTokenStore saveTokens() {
        return this;
    }

    @Override
    public synchronized void letPass(Duration time) {
        passed = passed.plus(time);
    }

    @Override
    public synchronized void wipe() {
        rows.clear();
    }

    @Override
    public synchronized void deleteByHand(TokenDigest token) {
        rows.remove(key(token));
    }

    @Override
    public synchronized void setFence(TokenDigest token, Fence fence) {
        row(token).orElseThrow().fence = fence.value();
    }

    @Override
    public synchronized String dump(TokenDigest token) {
        return row(token).map(Row::toString).orElse("");
    }
}
