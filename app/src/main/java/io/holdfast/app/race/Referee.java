package io.holdfast.app.race;

import io.holdfast.AttemptId;
import io.holdfast.Incumbent;
import io.holdfast.app.Backend;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployments;
import io.holdfast.publish.Ending;
import io.holdfast.release.ContentId;
import io.holdfast.release.Releasing;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.Sanction;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Judges one round: what the losers were told, against what the orchestrator saw; and for {@link Strategy#CLAIM} also what
 * the store says. For one thread.
 */
final class Referee {
    private final Cell cell;
    private final String key;
    private final Tally tally;
    private final Backend store;
    private final @Nullable String before;
    private final List<Answer> answers;

    /** What has arrived. */
    private List<String> arrived = List.of();

    /** The one that is in progress; empty if it is not ours to judge, or if it is not one. */
    private String running = "";

    /**
     * @param before what was in progress when the contenders came, where something was
     */
    Referee(Cell cell, String key, Tally tally, Backend store, @Nullable String before, List<Answer> answers) {
        this.cell = cell;
        this.key = key;
        this.tally = tally;
        this.store = store;
        this.before = before;
        this.answers = answers;
    }

    /**
     * All have their answers, and all that was started is in progress.
     *
     * @param arrived at the orchestrator
     */
    void whileInProgress(List<String> arrived) {
        this.arrived = arrived;
        answers.forEach(this::judge);
        // More than one, or none, is counted at the end, and nothing else about such a round is worth a word.
        if (cell.strategy() != Strategy.CLAIM || new TreeSet<>(arrived).size() != 1) {
            return;
        }
        running = arrived.get(0);
        switch (cell.scenario().port) {
            case PUBLISH -> requireBuilding();
            case RELEASE -> requireReleasing();
            case SANCTION -> requireSanctioned();
            // Their stores tell nobody but who has the token: all come again for that.
            case SAVE, REFRESH -> {}
        }
    }

    private void judge(Answer answer) {
        switch (answer.kind()) {
            case STARTED -> {}
            case IN_PROGRESS, GIVEN -> {
                if (isOf(answer)) {
                    tally.truth();
                } else {
                    untruth(Untruth.NEVER_ARRIVED, answer);
                }
            }
            default -> untruth(untruthOf(answer), answer);
        }
    }

    private boolean isOf(Answer answer) {
        return arrived.contains(String.valueOf(answer.effect()));
    }

    private static Untruth untruthOf(Answer answer) {
        return switch (answer.kind()) {
            // Every app of a race has a name that no other app wants.
            case NAME_TAKEN -> Untruth.OWN_NAME_TAKEN;
            // Every user of a race is honest.
            case LOGGED_OUT -> Untruth.LOGGED_OUT;
            default -> Untruth.ERROR;
        };
    }

    private void untruth(Untruth untruth, Answer answer) {
        tally.untruth(untruth);
        if (untruth == Untruth.ERROR) {
            tally.error(String.valueOf(answer.text()));
        }
        require(
                cell.strategy() != Strategy.CLAIM,
                "a loser was told " + untruth.words + ": " + (answer.text() == null ? answer.effect() : answer.text()));
    }

    /**
     * All is over.
     *
     * @param ends what became of each
     */
    void afterwards(List<String> ends) {
        if (running.isEmpty()) {
            return;
        }
        require(ends.equals(List.of(Report.DONE)), "it did not end as done, but as " + ends);
        switch (cell.scenario().port) {
            case PUBLISH -> requireLive();
            case RELEASE -> requireReleased();
            case SANCTION, SAVE, REFRESH -> {}
        }
    }

    /**
     * They have come again.
     *
     * @param again what they were told then; none where nobody comes again
     */
    void again(List<Answer> again) {
        for (Answer answer : again) {
            switch (answer.kind()) {
                // Counted at the end.
                case STARTED -> {}
                case GIVEN -> {
                    if (!isOf(answer)) {
                        untruth(Untruth.NEVER_ARRIVED, answer);
                    }
                }
                case IN_PROGRESS ->
                    require(cell.strategy() != Strategy.CLAIM, "it was said to be in progress when it was over");
                default -> untruth(untruthOf(answer), answer);
            }
        }
    }

    private void requireBuilding() {
        Deployments deployments = store.deployments();
        Optional<Deployment> current = deployments.current(AppId.of(key));
        require(
                current.isPresent()
                        && current.get().id().toString().equals(running)
                        && current.get().state() instanceof Deployment.Building,
                "the store does not say that " + running + " is building, but " + current);
        require(
                cell.scenario() != Scenario.REPUBLISH
                        || deployments.live(AppId.of(key)).isPresent(),
                "the app is not live any more while it is republished");
        String expected = cell.scenario() == Scenario.DEAD_OWNER ? before : null;
        answers.stream()
                .filter(Answer::started)
                .forEach(winner -> require(
                        String.valueOf(expected).equals(String.valueOf(winner.takenOver())),
                        "the winner was told that it took over " + winner.takenOver() + ", not " + expected));
        requireNoOldError(current);
    }

    private void requireLive() {
        Deployments deployments = store.deployments();
        Optional<Deployment> ended = deployments.find(AttemptId.parse(running));
        require(
                ended.isPresent() && ended.get().state() instanceof Ending.Live,
                "the store does not say that " + running + " is live, but " + ended);
        requireNoOldError(ended);
        if (cell.scenario() == Scenario.DEAD_OWNER && before != null) {
            Optional<Deployment> dead = deployments.find(AttemptId.parse(before));
            require(
                    dead.isPresent()
                            && dead.get().state() instanceof Deployment.Abandoned abandoned
                            && abandoned.by().equals(Optional.of(AttemptId.parse(running))),
                    "the dead owner's deployment does not read as abandoned by " + running + ", but as " + dead);
        }
    }

    private void requireNoOldError(Optional<Deployment> deployment) {
        require(!deployment.toString().contains(Claiming.OLD_ERROR), "it shows an error of the attempt before");
    }

    private void requireReleasing() {
        Optional<Incumbent> holder = holder();
        require(
                holder.isPresent() && holder.get().attempt().toString().equals(running),
                "the store does not say that " + running + " has the lease, but " + holder);
    }

    private void requireReleased() {
        Optional<Incumbent> holder = holder();
        require(holder.isEmpty(), "the lease was not let go, but is held by " + holder);
    }

    private Optional<Incumbent> holder() {
        return store.leases().find(Releasing.leaseOf(ContentId.of(key)));
    }

    private void requireSanctioned() {
        Optional<Sanction> active = store.sanctions().active(Account.of(key));
        require(
                active.isPresent() && active.get().id().toString().equals(running),
                "the store does not say that " + running + " is active, but " + active);
        List<Sanction> history = store.sanctions().history(Account.of(key), 10);
        require(history.size() == 2, "the account has not the old sanction and this one, but " + history);
    }

    private void require(boolean so, String words) {
        if (!so) {
            tally.violation(key + ": " + words);
        }
    }
}
