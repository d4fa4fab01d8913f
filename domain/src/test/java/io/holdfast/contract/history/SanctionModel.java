package io.holdfast.contract.history;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.ImposeOutcome.Another;
import io.holdfast.sanction.ImposeOutcome.Imposed;
import io.holdfast.sanction.ImposeOutcome.Over;
import io.holdfast.sanction.LiftOutcome;
import io.holdfast.sanction.LiftOutcome.Missed;
import io.holdfast.sanction.ReplaceOutcome;
import io.holdfast.sanction.ReplaceOutcome.NoneActive;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An account and its sanctions: no more of them than are kept.
 *
 * @param sanctions the newest last; no other one may be active
 */
record SanctionModel(Duration now, List<Entry> sanctions) implements Model<SanctionModel> {
    static final SanctionModel NONE = new SanctionModel(Duration.ZERO, List.of());

    /**
     * A sanction.
     *
     * @param ended by whom; the moment of a lift does not count. Empty while it has not, or when its time is over
     */
    record Entry(AttemptId id, Terms terms, Optional<Duration> endsAt, Optional<Sanction.State> ended) {
        boolean isActive(Duration now) {
            return ended.isEmpty() && endsAt.map(end -> now.compareTo(end) < 0).orElse(true);
        }

        Entry ended(Sanction.State how) {
            return new Entry(id, terms, endsAt, Optional.of(how));
        }
    }

    @Override
    public SanctionModel after(Duration passed) {
        return new SanctionModel(now.plus(passed), sanctions);
    }

    @Override
    public boolean endedAnothers(SanctionModel before) {
        return before.active().isPresent() && sanctions.size() > before.sanctions.size();
    }

    // Deciding.

    Optional<SanctionModel> impose(AttemptId id, Terms terms, Said<ImposeOutcome> said) {
        Optional<Entry> known = known(id);
        if (known.isPresent()) {
            return known.get().isActive(now) ? imposed(this, id, said) : over(known, said);
        }
        return active().isPresent() ? another(said) : imposed(with(sanctions, id, terms), id, said);
    }

    Optional<SanctionModel> replace(AttemptId seen, AttemptId id, Terms terms, Said<ReplaceOutcome> said) {
        Optional<Entry> known = known(id);
        if (known.isPresent()) {
            return known.get().isActive(now) ? imposed(this, id, said) : over(known, said);
        }
        if (active().isEmpty()) {
            return said.is(new NoneActive(), this);
        }
        return isActive(seen) ? imposed(with(ended(new Sanction.Replaced(id)), id, terms), id, said) : another(said);
    }

    /** What was lifted before is over, until another one is active (G12). */
    Optional<SanctionModel> lift(AttemptId seen, Holder by, Said<LiftOutcome> said) {
        if (isActive(seen)) {
            SanctionModel lifted = new SanctionModel(now, ended(new Sanction.Lifted(by, Instant.EPOCH)));
            return lifted.over(lifted.known(seen), said);
        }
        return active().isEmpty() && known(seen).isPresent()
                ? over(known(seen), said)
                : said.as(Missed.class, this, (account, told) -> account.shows(account.active(), told.active()));
    }

    private SanctionModel with(List<Entry> before, AttemptId id, Terms terms) {
        List<Entry> all = new ArrayList<>(before);
        all.add(new Entry(id, terms, terms.lasting().map(now::plus), Optional.empty()));
        return new SanctionModel(now, List.copyOf(all));
    }

    /** The sanctions, when the active one has ended so. */
    private List<Entry> ended(Sanction.State how) {
        return sanctions.stream()
                .map(entry -> entry.isActive(now) ? entry.ended(how) : entry)
                .toList();
    }

    // Reading.

    Optional<SanctionModel> active(Said<Optional<Sanction>> said) {
        return said.answer().isEmpty()
                ? Optional.of(this)
                : shows(active(), said.answer().get());
    }

    /** The newest first (B5). */
    Optional<SanctionModel> history(int atMost, Said<List<Sanction>> said) {
        if (said.answer().isEmpty()) {
            return Optional.of(this);
        }
        List<Sanction> told = said.answer().get();
        boolean shown = told.size() == Math.min(atMost, sanctions.size());
        for (int i = 0; shown && i < told.size(); i++) {
            shown = isShown(sanctions.get(sanctions.size() - 1 - i), told.get(i));
        }
        return shown ? Optional.of(this) : Optional.empty();
    }

    // Answers.

    private static <A> Optional<SanctionModel> imposed(SanctionModel next, AttemptId id, Said<A> said) {
        return next.told(Imposed.class, said, told -> told.sanction(), next.known(id));
    }

    private <A> Optional<SanctionModel> another(Said<A> said) {
        return told(Another.class, said, told -> told.active(), active());
    }

    private <A> Optional<SanctionModel> over(Optional<Entry> ended, Said<A> said) {
        return told(Over.class, said, told -> told.sanction(), ended);
    }

    /** Of a kind that several operations answer with, and that shows a sanction. */
    private <A, B> Optional<SanctionModel> told(
            Class<B> kind, Said<A> said, Function<B, Sanction> sanction, Optional<Entry> due) {
        return new Said<Object>(said.answer().map(answer -> answer))
                .as(kind, this, (account, told) -> account.shows(due, Optional.of(sanction.apply(told))));
    }

    private Optional<SanctionModel> shows(Optional<Entry> due, Optional<Sanction> told) {
        boolean shown = due.isPresent() == told.isPresent() && (due.isEmpty() || isShown(due.get(), told.get()));
        return shown ? Optional.of(this) : Optional.empty();
    }

    private boolean isShown(Entry due, Sanction told) {
        return told.id().equals(due.id) && told.terms().equals(due.terms) && isShown(due, told.state());
    }

    private boolean isShown(Entry due, Sanction.State told) {
        if (due.isActive(now)) {
            return told instanceof Sanction.Active active
                    && active.endsIn().isPresent() == due.endsAt.isPresent()
                    && active.endsIn()
                            .map(left -> Holding.isNearly(due.endsAt.get().minus(now), left))
                            .orElse(true);
        }
        if (due.ended.isEmpty()) {
            return told instanceof Sanction.RanOut;
        }
        return told instanceof Sanction.Lifted lifted
                ? due.ended.get() instanceof Sanction.Lifted it && it.by().equals(lifted.by())
                : told.equals(due.ended.get());
    }

    // Parts.

    private Optional<Entry> active() {
        return sanctions.stream().filter(entry -> entry.isActive(now)).findFirst();
    }

    private boolean isActive(AttemptId id) {
        return active().filter(entry -> entry.id.equals(id)).isPresent();
    }

    private Optional<Entry> known(AttemptId id) {
        return sanctions.stream().filter(entry -> entry.id.equals(id)).findFirst();
    }
}
