package io.holdfast.contract.history;

import io.holdfast.AttemptId;
import io.holdfast.Eviction;
import io.holdfast.Fence;
import io.holdfast.Renewal;
import io.holdfast.Succession;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore.FinishOutcome;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployment.Abandoned;
import io.holdfast.publish.Deployment.Building;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An app and its deployments: no more of them than are kept.
 *
 * @param runs the newest last; that one is building while the app is held
 * @param live the one that users see
 */
record ClaimModel(Holding hold, List<Run> runs, Optional<AttemptId> live) implements Model<ClaimModel> {
    static final ClaimModel NEVER_PUBLISHED = new ClaimModel(Holding.NOBODYS, List.of(), Optional.empty());

    /**
     * A deployment.
     *
     * @param hasKey whether its request key still names it
     * @param fence its own; while it is building, the app's
     * @param ended empty while it is building
     */
    record Run(
            ClaimRequest wish,
            boolean hasKey,
            Optional<AttemptId> takenOverFrom,
            FenceSought fence,
            Optional<Deployment.State> ended) {}

    @Override
    public ClaimModel after(Duration passed) {
        return with(hold.after(passed));
    }

    @Override
    public boolean endedAnothers(ClaimModel before) {
        return hold.tookOver(before.hold);
    }

    // Deciding.

    /** In the order of C12. */
    Optional<ClaimModel> claim(ClaimRequest wish, Said<ClaimOutcome> said) {
        Optional<Run> mine = run(wish.attempt());
        if (mine.isPresent()) {
            return mine.get().ended.isEmpty()
                    ? claimed(with(hold.renewed()), said)
                    : said.as(Refusal.AlreadyRun.class, this, (app, told) -> app.shows(told.deployment()));
        }
        Optional<Run> sameKey = runs.stream()
                .filter(run -> run.hasKey && run.wish.requestKey().equals(wish.requestKey()))
                .findFirst();
        if (sameKey.isPresent()) {
            AttemptId had = sameKey.get().wish.attempt();
            return sameKey.get().wish.slug().equals(wish.slug())
                    ? said.as(Refusal.AlreadyRun.class, this, (app, told) -> app.shows(had, told.deployment()))
                    : said.as(Refusal.OtherRequest.class, this, (app, told) -> app.shows(had, told.deployment()));
        }
        if (!hold.isTakeable()) {
            return said.as(Refusal.InProgress.class, this, (app, told) -> app.known(app.hold.by(told.running())));
        }
        if (live.isPresent() && !last().wish.slug().equals(wish.slug())) {
            return said.is(new Refusal.SlugFixed(last().wish.slug()), this);
        }
        return claimed(taken(wish), said);
    }

    private static Optional<ClaimModel> claimed(ClaimModel next, Said<ClaimOutcome> said) {
        return said.as(
                Claimed.class,
                next,
                (app, told) -> told.takenOverFrom().equals(app.last().takenOverFrom)
                        ? app.known(app.hold.granted(told.claim(), told.remaining()))
                        : Optional.empty());
    }

    private ClaimModel taken(ClaimRequest wish) {
        Optional<AttemptId> silent = hold.held() ? Optional.of(hold.attempt()) : Optional.empty();
        List<Run> all = hold.held() ? ended(hold, new Abandoned(Optional.of(wish.attempt()))) : new ArrayList<>(runs);
        all.add(new Run(wish, wish.requestKey().isPresent(), silent, FenceSought.NONE, Optional.empty()));
        return new ClaimModel(hold.taken(wish.attempt(), wish.holder(), wish.limit()), List.copyOf(all), live);
    }

    /** As {@link Holding#beaten}. */
    ClaimModel beaten(AttemptId by) {
        return with(hold.beaten(by));
    }

    Optional<ClaimModel> renew(Claim claim, Said<Map<Claim, Renewal>> said) {
        return known(hold.renewal(claim, said));
    }

    Optional<ClaimModel> finish(Claim claim, Ending ending, Said<FinishOutcome> said) {
        Optional<Holding> mine = hold.held() ? hold.named(claim) : Optional.empty();
        if (mine.isPresent()) {
            Holding now = mine.get();
            return said.is(
                    new FinishOutcome.Ended(ending),
                    new ClaimModel(
                            now.letGo(now.now()),
                            List.copyOf(ended(now, ending)),
                            ending instanceof Ending.Live ? Optional.of(claim.attempt()) : live));
        }
        Optional<Run> before = run(claim.attempt())
                .filter(run -> run.ended.isPresent() && run.ended.get() instanceof Ending)
                .flatMap(run -> named(run, claim.fence()));
        return before.isPresent()
                ? said.is(new FinishOutcome.Ended((Ending) before.get().ended.orElseThrow()), with(before.get()))
                : said.as(FinishOutcome.Lost.class, this, (app, told) -> app.known(app.hold.by(told.to())));
    }

    Optional<ClaimModel> evict(Fence seen, Succession succession, Said<Eviction> said) {
        return hold.eviction(seen, succession, said).map(next -> {
            boolean evicted = hold.held() && !next.held();
            return evicted ? abandoned(hold.named(seen).orElseThrow(), next) : with(next);
        });
    }

    /** It may leave alone what is locked just now. */
    Optional<ClaimModel> endSilent(Duration inContact, Said<List<Claim>> said) {
        Optional<Claim> ended = said.answer().flatMap(claims -> claims.stream().findFirst());
        if (said.answer().isPresent() && ended.isEmpty()) {
            return Optional.of(this);
        }
        Duration limit = hold.limit();
        boolean dead = hold.held()
                && limit.compareTo(inContact) <= 0
                && hold.beat().plus(limit).plus(limit).compareTo(hold.now()) <= 0;
        if (!dead) {
            return said.answer().isEmpty() ? Optional.of(this) : Optional.empty();
        }
        Optional<Holding> now = ended.isPresent() ? hold.named(ended.get()) : Optional.of(hold);
        return now.map(it -> abandoned(it, it.ended(it.now())));
    }

    private ClaimModel abandoned(Holding before, Holding next) {
        return new ClaimModel(next, List.copyOf(ended(before, new Abandoned(Optional.empty()))), live);
    }

    /** The runs, when the last one has ended so. */
    private List<Run> ended(Holding held, Deployment.State ending) {
        Run last = last();
        List<Run> all = new ArrayList<>(runs);
        all.set(
                all.size() - 1,
                new Run(
                        last.wish,
                        last.hasKey && !(ending instanceof Ending.NotStarted),
                        last.takenOverFrom,
                        held.fence(),
                        Optional.of(ending)));
        return all;
    }

    // Reading.

    Optional<ClaimModel> find(AttemptId id, Said<Optional<Deployment>> said) {
        return shows(run(id), said);
    }

    Optional<ClaimModel> live(Said<Optional<Deployment>> said) {
        return shows(live.flatMap(this::run), said);
    }

    private Optional<ClaimModel> shows(Optional<Run> due, Said<Optional<Deployment>> said) {
        if (said.answer().isEmpty()) {
            return Optional.of(this);
        }
        Optional<Deployment> told = said.answer().get();
        if (due.isEmpty() || told.isEmpty()) {
            return due.isEmpty() && told.isEmpty() ? Optional.of(this) : Optional.empty();
        }
        return shows(due.get().wish.attempt(), told.get());
    }

    /** The newest first (C10). */
    Optional<ClaimModel> recent(int atMost, Said<List<Deployment>> said) {
        if (said.answer().isEmpty()) {
            return Optional.of(this);
        }
        List<Deployment> told = said.answer().get();
        Optional<ClaimModel> app = told.size() == Math.min(atMost, runs.size()) ? Optional.of(this) : Optional.empty();
        for (int i = 0; i < told.size(); i++) {
            int newest = i;
            app = app.flatMap(
                    so -> so.shows(so.runs.get(so.runs.size() - 1 - newest).wish.attempt(), told.get(newest)));
        }
        return app;
    }

    private Optional<ClaimModel> shows(AttemptId due, Deployment told) {
        return told.id().equals(due) ? shows(told) : Optional.empty();
    }

    private Optional<ClaimModel> shows(Deployment told) {
        Run run = run(told.id()).orElseThrow();
        if (!told.app().equals(run.wish.app())
                || !told.slug().equals(run.wish.slug())
                || !told.holder().equals(run.wish.holder())
                || !told.takenOverFrom().equals(run.takenOverFrom)) {
            return Optional.empty();
        }
        if (run.ended.isEmpty()) {
            return told.state() instanceof Building building
                    ? known(hold.named(told.fence()).flatMap(now -> now.by(building.by())))
                    : Optional.empty();
        }
        return told.state().equals(run.ended.get()) ? named(run, told.fence()).map(this::with) : Optional.empty();
    }

    // Parts.

    private Run last() {
        return runs.get(runs.size() - 1);
    }

    private Optional<Run> run(AttemptId id) {
        return runs.stream().filter(run -> run.wish.attempt().equals(id)).findFirst();
    }

    private static Optional<Run> named(Run run, Fence fence) {
        return run.fence.named(fence).map(known -> new Run(run.wish, run.hasKey, run.takenOverFrom, known, run.ended));
    }

    private ClaimModel with(Run better) {
        return new ClaimModel(
                hold,
                runs.stream()
                        .map(run -> run.wish.equals(better.wish) ? better : run)
                        .toList(),
                live);
    }

    private ClaimModel with(Holding next) {
        return new ClaimModel(next, runs, live);
    }

    private Optional<ClaimModel> known(Optional<Holding> next) {
        return next.map(this::with);
    }
}
