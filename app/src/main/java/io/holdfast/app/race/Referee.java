package io.holdfast.app.race;

import io.holdfast.AttemptId;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Deployments;
import io.holdfast.publish.Ending;
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
    private final String app;
    private final Tally tally;
    private final Deployments deployments;
    private final @Nullable String before;
    private final List<Answer> answers;
    private String running = "";

    /**
     * @param before the deployment that was building when the contenders came
     */
    Referee(
            Cell cell,
            String app,
            Tally tally,
            Deployments deployments,
            @Nullable String before,
            List<Answer> answers) {
        this.cell = cell;
        this.app = app;
        this.tally = tally;
        this.deployments = deployments;
        this.before = before;
        this.answers = answers;
    }

    /**
     * All have their answers, and all that was started is building.
     *
     * @param arrived at the orchestrator
     */
    void whileBuilding(List<String> arrived) {
        answers.forEach(answer -> judge(answer, arrived));
        if (cell.strategy() != Strategy.CLAIM) {
            return;
        }
        if (new TreeSet<>(arrived).size() != 1) {
            // Counted at the end, and nothing else about such a round is worth a word.
            return;
        }
        running = arrived.get(0);
        Optional<Deployment> current = deployments.current(AppId.of(app));
        require(
                current.isPresent()
                        && current.get().id().toString().equals(running)
                        && current.get().state() instanceof Deployment.Building,
                "the store does not say that " + running + " is building, but " + current);
        require(
                cell.scenario() != Scenario.REPUBLISH
                        || deployments.live(AppId.of(app)).isPresent(),
                "the app is not live any more while it is republished");
        String expected = cell.scenario() == Scenario.DEAD_OWNER ? before : null;
        answers.stream()
                .filter(Answer::started)
                .forEach(winner -> require(
                        String.valueOf(expected).equals(String.valueOf(winner.takenOver())),
                        "the winner was told that it took over " + winner.takenOver() + ", not " + expected));
        requireNoOldError(current);
    }

    private void judge(Answer answer, List<String> arrived) {
        switch (answer.kind()) {
            case STARTED -> {}
            case IN_PROGRESS -> {
                if (arrived.contains(String.valueOf(answer.deployment()))) {
                    tally.truth();
                } else {
                    untruth(Untruth.NOT_RUNNING, answer);
                }
            }
            // Every app of a race has a name that no other app wants.
            case NAME_TAKEN -> untruth(Untruth.OWN_NAME_TAKEN, answer);
            case ERROR, PREPARED -> {
                untruth(Untruth.ERROR, answer);
                tally.error(String.valueOf(answer.text()));
            }
        }
    }

    private void untruth(Untruth untruth, Answer answer) {
        tally.untruth(untruth);
        require(
                cell.strategy() != Strategy.CLAIM,
                "a loser was told " + untruth.words + ": "
                        + (answer.text() == null ? answer.deployment() : answer.text()));
    }

    /**
     * The builds are over.
     *
     * @param ends what became of each
     */
    void afterwards(List<String> ends) {
        if (cell.strategy() != Strategy.CLAIM || running.isEmpty()) {
            return;
        }
        require(ends.equals(List.of(Report.LIVE)), "the build did not end as live, but as " + ends);
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

    private void require(boolean so, String words) {
        if (!so) {
            tally.violation(app + ": " + words);
        }
    }
}
