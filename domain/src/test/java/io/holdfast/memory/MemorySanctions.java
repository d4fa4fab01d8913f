package io.holdfast.memory;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.contract.SanctionSubject;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.ImposeOutcome.Another;
import io.holdfast.sanction.ImposeOutcome.Imposed;
import io.holdfast.sanction.ImposeOutcome.Over;
import io.holdfast.sanction.LiftOutcome;
import io.holdfast.sanction.ReplaceOutcome;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store of sanctions in memory, and the model of what the rules mean, as {@link MemoryPublishes} is one of publishes: under
 * one lock, with this machine's clock, and open for the stores that are wrong on purpose.
 */
public class MemorySanctions implements SanctionSubject, SanctionStore {
    private final Map<Account, List<Entry>> accounts = new HashMap<>();
    private Duration passed = Duration.ZERO;

    /** One sanction; active while it has no ending and its time is not over. Times: microseconds since 1970. */
    protected static final class Entry {
        public final AttemptId id;
        public final Terms terms;
        public final long since;
        public final long endsAt;
        public Sanction.@Nullable State ended;

        Entry(AttemptId id, Terms terms, long since, long endsAt) {
            this.id = id;
            this.terms = terms;
            this.since = since;
            this.endsAt = endsAt;
        }

        @Override
        public String toString() {
            return "%s %s since=%d endsAt=%d ended=%s".formatted(id, terms, since, endsAt, ended);
        }
    }

    // Deciding.

    @Override
    public ImposeOutcome impose(AttemptId id, Terms terms) {
        synchronized (this) {
            return answered(id, terms).orElseGet(() -> new Imposed(add(id, terms)));
        }
    }

    /** What is said instead of imposing; empty if it is to be imposed. */
    protected synchronized Optional<ImposeOutcome> answered(AttemptId id, Terms terms) {
        return thisId(id, terms).or(() -> standing(terms.account()).map(entry -> new Another(sanction(entry))));
    }

    protected Optional<ImposeOutcome> thisId(AttemptId id, Terms terms) {
        return find(id).map(entry -> {
            if (!entry.terms.account().equals(terms.account())) {
                throw SanctionStore.ofAnotherAccount(id);
            }
            return isActive(entry) ? new Imposed(sanction(entry)) : new Over(sanction(entry));
        });
    }

    @Override
    public ReplaceOutcome replace(AttemptId seen, AttemptId id, Terms terms) {
        synchronized (this) {
            Optional<ImposeOutcome> known = thisId(id, terms);
            if (known.isPresent()) {
                return known.get().fold(imposed -> imposed, another -> another, over -> over);
            }
            Optional<Entry> standing = standing(terms.account());
            if (standing.isEmpty()) {
                return new ReplaceOutcome.NoneActive();
            }
            if (!isSeen(seen, standing.get())) {
                return new Another(sanction(standing.get()));
            }
            standing.get().ended = new Sanction.Replaced(id);
            return new Imposed(add(id, terms));
        }
    }

    @Override
    public LiftOutcome lift(Account account, AttemptId seen, Holder by) {
        synchronized (this) {
            Optional<Entry> standing = standing(account);
            if (standing.isPresent() && isSeen(seen, standing.get())) {
                standing.get().ended = new Sanction.Lifted(by, instant(now()));
                return new Over(sanction(standing.get()));
            }
            Optional<Entry> over = known(account, seen);
            return standing.isEmpty() && over.isPresent()
                    ? new Over(sanction(over.get()))
                    : new LiftOutcome.Missed(standing.map(this::sanction));
        }
    }

    /** Lift and replace count for the one that was seen only (B4). */
    protected boolean isSeen(AttemptId seen, Entry standing) {
        return standing.id.equals(seen);
    }

    /** The one that keeps others out. */
    protected Optional<Entry> standing(Account account) {
        return entries(account).stream().filter(this::isActive).findFirst();
    }

    protected boolean isActive(Entry entry) {
        return entry.ended == null && now() < entry.endsAt;
    }

    protected synchronized Sanction add(AttemptId id, Terms terms) {
        List<Entry> entries = accounts.computeIfAbsent(key(terms.account()), account -> new ArrayList<>());
        entries.forEach(this::settle);
        long now = now();
        Entry entry = new Entry(
                id,
                terms,
                now,
                terms.lasting().map(lasting -> now + micros(lasting)).orElse(Long.MAX_VALUE));
        entries.add(0, entry);
        prune(entries);
        return sanction(entry);
    }

    /** Whose time is over has ended for good, whatever the clock does. */
    private void settle(Entry entry) {
        if (entry.ended == null && !isActive(entry)) {
            entry.ended = new Sanction.RanOut();
        }
    }

    protected void prune(List<Entry> newestFirst) {
        if (newestFirst.size() > HISTORY) {
            newestFirst.subList(HISTORY, newestFirst.size()).clear();
        }
    }

    // Reading.

    @Override
    public synchronized Optional<Sanction> active(Account account) {
        return entries(account).stream().filter(this::isActive).findFirst().map(this::sanction);
    }

    @Override
    public synchronized List<Sanction> history(Account account, int atMost) {
        return entries(account).stream()
                .limit(SanctionStore.atLeastOne(atMost))
                .map(this::sanction)
                .toList();
    }

    protected Sanction sanction(Entry entry) {
        return new Sanction(entry.id, entry.terms, instant(entry.since), state(entry));
    }

    protected Sanction.State state(Entry entry) {
        if (entry.ended != null) {
            return entry.ended;
        }
        return isActive(entry)
                ? new Sanction.Active(entry.terms.lasting().map(lasting -> remaining(entry)))
                : new Sanction.RanOut();
    }

    protected Duration remaining(Entry entry) {
        return Duration.of(entry.endsAt - now(), ChronoUnit.MICROS);
    }

    protected Optional<Entry> find(AttemptId id) {
        return accounts.values().stream()
                .flatMap(List::stream)
                .filter(entry -> entry.id.equals(id))
                .findFirst();
    }

    protected Optional<Entry> known(Account account, AttemptId id) {
        return entries(account).stream().filter(entry -> entry.id.equals(id)).findFirst();
    }

    protected List<Entry> entries(Account account) {
        return accounts.getOrDefault(key(account), List.of());
    }

    /** As accounts are found by. */
    protected Account key(Account account) {
        return account;
    }

    // Time.

    protected long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plus(passed));
    }

    /** A duration as it is stored. */
    protected long micros(Duration lasting) {
        return TimeUnit.NANOSECONDS.toMicros(lasting.toNanos());
    }

    protected static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    // What befalls a store.

    @Override
    public SanctionStore sanctions() {
        return this;
    }

    @Override
    public synchronized void letPass(Duration time) {
        passed = passed.plus(time);
    }

    @Override
    public synchronized void wipe() {
        accounts.clear();
    }

    @Override
    public synchronized void deleteByHand(Account account) {
        accounts.remove(key(account));
    }

    @Override
    public synchronized String dump(Account account) {
        return entries(account).toString();
    }
}
