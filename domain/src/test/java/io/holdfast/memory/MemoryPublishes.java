package io.holdfast.memory;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.Renewal;
import io.holdfast.Succession;
import io.holdfast.contract.PublishSubject;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployments;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store of publishes in memory, and the model of what the rules mean: everything under one lock, which stands for the
 * one statement that decides. Thread-safe. Its clock is this machine's, moved by what was let pass.
 *
 * <p>Open for the stores that are wrong on purpose: what is protected is one decision each, and the operations lock inside,
 * so that a store may do without.
 */
public class MemoryPublishes implements PublishSubject, ClaimStore, Deployments {
    private final Map<AppId, Row> rows = new HashMap<>();
    private Duration passed = Duration.ZERO;

    /** One app. Held while its last deployment is building, and free when also the time is over. */
    protected static final class Row {
        public final AppId app;
        public Slug slug;
        public long fence;
        public long beat;
        public long freeAt;
        public Duration limit = Duration.ZERO;
        public @Nullable Entry live;

        /** The newest one last; the only one that may be building. */
        public final List<Entry> history = new ArrayList<>();

        Row(AppId app, Slug slug) {
            this.app = app;
            this.slug = slug;
        }

        public Optional<Entry> last() {
            return history.isEmpty() ? Optional.empty() : Optional.of(history.get(history.size() - 1));
        }

        public Optional<Entry> building() {
            return last().filter(entry -> entry.state == null);
        }

        @Override
        public String toString() {
            return "%s slug=%s fence=%d beat=%d freeAt=%d limit=%s live=%s %s"
                    .formatted(app, slug, fence, beat, freeAt, limit, live == null ? null : live.id, history);
        }
    }

    /** One deployment; building while it has no state. */
    protected static final class Entry {
        public final AttemptId id;
        public final Slug slug;
        public final Holder holder;
        public final long startedAt;
        public final Optional<AttemptId> takenOverFrom;
        public Optional<RequestKey> requestKey;
        public Fence fence;
        public Deployment.@Nullable State state;

        Entry(ClaimRequest wish, Fence fence, long startedAt, Optional<AttemptId> takenOverFrom) {
            this.id = wish.attempt();
            this.slug = wish.slug();
            this.holder = wish.holder();
            this.requestKey = wish.requestKey();
            this.fence = fence;
            this.startedAt = startedAt;
            this.takenOverFrom = takenOverFrom;
        }

        @Override
        public String toString() {
            return "%s slug=%s holder=%s startedAt=%d takenOverFrom=%s requestKey=%s fence=%s state=%s"
                    .formatted(id, slug, holder, startedAt, takenOverFrom, requestKey, fence, state);
        }
    }

    // Deciding.

    @Override
    public ClaimOutcome claim(ClaimRequest wish) {
        synchronized (this) {
            return answered(wish).orElseGet(() -> take(wish));
        }
    }

    /** What is said instead of taking, in the order of C12; empty if the app is to be taken. */
    protected synchronized Optional<ClaimOutcome> answered(ClaimRequest wish) {
        return thisAttempt(wish)
                .or(() -> thisRequestKey(wish))
                .or(() -> inProgress(wish))
                .or(() -> slugFixed(wish))
                .or(() -> slugTaken(wish));
    }

    protected Optional<ClaimOutcome> thisAttempt(ClaimRequest wish) {
        Optional<Deployment> known = find(wish.attempt());
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Deployment run = known.get();
        if (!run.app().equals(wish.app())) {
            throw ClaimStore.ofAnotherApp(wish.attempt());
        }
        if (!(run.state() instanceof Deployment.Building)) {
            return Optional.of(new Refusal.AlreadyRun(run));
        }
        Row row = row(wish.app()).orElseThrow();
        prolong(row);
        return Optional.of(new Claimed(claim(row), remaining(row), run.takenOverFrom()));
    }

    protected Optional<ClaimOutcome> thisRequestKey(ClaimRequest wish) {
        if (wish.requestKey().isEmpty()) {
            return Optional.empty();
        }
        return row(wish.app())
                .flatMap(row -> row.history.stream()
                        .filter(entry -> entry.requestKey.equals(wish.requestKey()))
                        .findFirst()
                        .map(entry -> deployment(row, entry)))
                .map(run ->
                        run.slug().equals(wish.slug()) ? new Refusal.AlreadyRun(run) : new Refusal.OtherRequest(run));
    }

    protected Optional<ClaimOutcome> inProgress(ClaimRequest wish) {
        return row(wish.app())
                .filter(row -> row.building().isPresent() ? !silent(row, wish) : isReserved(row))
                .map(row -> new Refusal.InProgress(incumbent(row)));
    }

    protected Optional<ClaimOutcome> slugFixed(ClaimRequest wish) {
        return row(wish.app())
                .filter(row -> row.live != null && !row.slug.equals(wish.slug()))
                .map(row -> new Refusal.SlugFixed(row.slug));
    }

    protected Optional<ClaimOutcome> slugTaken(ClaimRequest wish) {
        return rows.values().stream()
                .filter(row -> !row.app.equals(wish.app()) && row.slug.equals(wish.slug()))
                .findFirst()
                .map(row -> new Refusal.SlugTaken(row.slug));
    }

    /** The holder's own limit is over (G7). */
    protected boolean silent(Row row, ClaimRequest taker) {
        return row.freeAt <= now();
    }

    /** Nobody holds, and nobody may take yet: the last holder was evicted, and still counts on its time (G15). */
    protected boolean isReserved(Row row) {
        return row.freeAt > now();
    }

    protected synchronized ClaimOutcome take(ClaimRequest wish) {
        Row row = row(wish.app()).orElseGet(() -> insert(wish));
        Fence fence = nextFence(row);
        Optional<AttemptId> takenOver = row.building().map(silent -> {
            silent.state = new Deployment.Abandoned(Optional.of(wish.attempt()));
            return silent.id;
        });
        row.fence = fence.value();
        row.slug = wish.slug();
        row.limit = wish.limit().value();
        row.beat = now();
        row.freeAt = now() + limitMicros(row.limit);
        row.history.add(new Entry(wish, fence, now(), takenOver));
        prune(row);
        return new Claimed(claim(row), remaining(row), takenOver);
    }

    private Row insert(ClaimRequest wish) {
        Row row = new Row(wish.app(), wish.slug());
        rows.put(key(wish.app()), row);
        return row;
    }

    protected Fence nextFence(Row row) {
        if (row.fence == Long.MAX_VALUE) {
            throw ClaimStore.fenceExhausted(row.app);
        }
        return new Fence(Math.max(row.fence + 1, now()));
    }

    protected void prune(Row row) {
        List<Entry> kept = row.history.stream()
                .filter(entry -> entry.state != null && entry != row.live)
                .toList();
        row.history.removeAll(kept.subList(0, Math.max(0, kept.size() - HISTORY)));
    }

    @Override
    public Map<Claim, Renewal> renew(Collection<Claim> claims) {
        synchronized (this) {
            Map<Claim, Renewal> said = new HashMap<>();
            claims.forEach(claim -> said.put(claim, renew(claim)));
            return said;
        }
    }

    protected Renewal renew(Claim claim) {
        Optional<Row> held = row(claim.app()).filter(row -> holds(claim, row));
        held.ifPresent(this::prolong);
        return held.<Renewal>map(row -> new Renewal.Held(remaining(row)))
                .orElseGet(() -> new Renewal.Lost(holder(claim.app())));
    }

    /** Only the holder's writes count: key, attempt and fence (G6). */
    protected boolean holds(Claim claim, Row row) {
        return row.building()
                .filter(entry -> entry.id.equals(claim.attempt()) && entry.fence.equals(claim.fence()))
                .isPresent();
    }

    protected void prolong(Row row) {
        row.beat = Math.max(row.beat, now());
        row.freeAt = Math.max(row.freeAt, now() + limitMicros(row.limit));
    }

    @Override
    public FinishOutcome finish(Claim claim, Ending ending) {
        synchronized (this) {
            row(claim.app())
                    .filter(row -> holds(claim, row))
                    .ifPresent(row -> end(row, row.building().orElseThrow(), ending));
            return row(claim.app())
                    .flatMap(row -> endingOf(claim, row))
                    .<FinishOutcome>map(FinishOutcome.Ended::new)
                    .orElseGet(() -> new FinishOutcome.Lost(holder(claim.app())));
        }
    }

    private static Optional<Ending> endingOf(Claim claim, Row row) {
        return row.history.stream()
                .filter(entry -> entry.id.equals(claim.attempt()) && entry.fence.equals(claim.fence()))
                .findFirst()
                .flatMap(entry -> entry.state instanceof Ending ending ? Optional.of(ending) : Optional.empty());
    }

    protected void end(Row row, Entry entry, Ending ending) {
        entry.state = ending;
        row.freeAt = 0;
        if (ending instanceof Ending.Live) {
            row.live = entry;
        }
        if (ending instanceof Ending.NotStarted) {
            entry.requestKey = Optional.empty();
        }
    }

    @Override
    public Eviction evict(AppId app, Fence seen, Succession succession) {
        synchronized (this) {
            return row(app).filter(row -> isSeen(row, seen))
                    .<Eviction>map(row -> evict(row, succession))
                    .orElseGet(() -> new Eviction.Moved(holder(app)));
        }
    }

    /** Somebody holds by this fence, or nobody may take yet. */
    protected boolean isSeen(Row row, Fence seen) {
        return row.fence == seen.value() && (row.building().isPresent() || isReserved(row));
    }

    protected Eviction.Evicted evict(Row row, Succession succession) {
        abandon(row, freeAfterwards(row, succession));
        return new Eviction.Evicted(new Fence(row.fence), remaining(row));
    }

    protected long freeAfterwards(Row row, Succession succession) {
        return succession == Succession.AT_ONCE ? 0 : row.freeAt;
    }

    /** Ends what is building, by nobody, and moves the fence on. */
    protected void abandon(Row row, long freeAt) {
        row.fence = nextFence(row).value();
        row.last().orElseThrow().state = new Deployment.Abandoned(Optional.empty());
        row.freeAt = freeAt;
    }

    @Override
    public List<Claim> endSilent(int atMost, Duration inContact) {
        synchronized (this) {
            List<Row> dead = dead(Deployments.atLeastOne(atMost), ClaimStore.longestLimit(inContact));
            List<Claim> ended = dead.stream().map(MemoryPublishes::claim).toList();
            dead.forEach(row -> abandon(row, 0));
            return ended;
        }
    }

    protected synchronized List<Row> dead(int atMost, Duration longest) {
        return rows.values().stream()
                .filter(row -> row.building().isPresent() && isDead(row, longest))
                .limit(atMost)
                .toList();
    }

    /** Silent for twice its own limit, and of a limit that the caller could see run out (C9). */
    protected boolean isDead(Row row, Duration longest) {
        return row.fence < Long.MAX_VALUE
                && row.limit.compareTo(longest) <= 0
                && row.beat + 2 * limitMicros(row.limit) <= now();
    }

    // Telling.

    /** Who holds, or was the last to. */
    protected Incumbent incumbent(Row row) {
        Entry entry = row.last().orElseThrow();
        return new Incumbent(
                entry.id,
                entry.holder,
                new Fence(row.fence),
                instant(entry.startedAt),
                duration(now() - row.beat),
                remaining(row));
    }

    private Optional<Incumbent> holder(AppId app) {
        return row(app).filter(row -> row.building().isPresent()).map(this::incumbent);
    }

    protected Duration remaining(Row row) {
        return duration(Math.max(0, row.freeAt - now()));
    }

    protected static Claim claim(Row row) {
        Entry entry = row.building().orElseThrow();
        return new Claim(row.app, entry.id, entry.fence);
    }

    // Reading.

    @Override
    public synchronized Optional<Deployment> find(AttemptId id) {
        return rows.values().stream()
                .flatMap(row -> row.history.stream()
                        .filter(entry -> entry.id.equals(id))
                        .map(entry -> deployment(row, entry)))
                .findFirst();
    }

    @Override
    public synchronized Optional<Deployment> current(AppId app) {
        return recent(app, 1).stream().findFirst();
    }

    @Override
    public synchronized Optional<Deployment> live(AppId app) {
        return row(app).filter(row -> row.live != null).map(row -> deployment(row, row.live));
    }

    @Override
    public synchronized List<Deployment> recent(AppId app, int atMost) {
        List<Deployment> newestFirst = new ArrayList<>();
        row(app).ifPresent(row -> row.history.forEach(entry -> newestFirst.add(0, deployment(row, entry))));
        return List.copyOf(newestFirst.subList(0, Math.min(Deployments.atLeastOne(atMost), newestFirst.size())));
    }

    protected Deployment deployment(Row row, Entry entry) {
        Deployment.State state = entry.state == null ? new Deployment.Building(incumbent(row)) : entry.state;
        return new Deployment(
                entry.id,
                row.app,
                entry.slug,
                entry.fence,
                entry.holder,
                instant(entry.startedAt),
                entry.takenOverFrom,
                state);
    }

    protected Optional<Row> row(AppId app) {
        return Optional.ofNullable(rows.get(key(app)));
    }

    /** As rows are found by. */
    protected AppId key(AppId app) {
        return app;
    }

    // Time: microseconds since 1970.

    protected long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plus(passed));
    }

    /** A limit as it is stored. */
    protected long limitMicros(Duration limit) {
        return TimeUnit.NANOSECONDS.toMicros(limit.toNanos());
    }

    private static Duration duration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    // What befalls a store.

    @Override
    public ClaimStore claims() {
        return this;
    }

    @Override
    public Deployments deployments() {
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
    public synchronized void deleteByHand(AppId app) {
        rows.remove(key(app));
    }

    @Override
    public synchronized void setFence(AppId app, Fence fence) {
        Row row = row(app).orElseThrow();
        row.fence = fence.value();
        row.last().ifPresent(entry -> entry.fence = fence);
    }

    @Override
    public synchronized String dump(AppId app) {
        return row(app).map(Row::toString).orElse("");
    }
}
