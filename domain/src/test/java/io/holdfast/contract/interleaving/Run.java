package io.holdfast.contract.interleaving;

import io.holdfast.contract.interleaving.World.Act;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What came of one order.
 *
 * @param acts what the sessions did
 * @param steps in the order in which they were let go
 * @param answers of the sessions
 * @param left what was left at the end
 * @param errors that the server answered with
 */
record Run(List<Act> acts, List<Step> steps, List<String> answers, String left, List<String> errors) {
    /**
     * @param session whose it is
     * @param over whose calls were over after it
     */
    record Step(int session, String name, List<Integer> over) {}

    /** Whether one came after the other. */
    boolean isOneByOne() {
        return IntStream.range(1, steps.size())
                        .filter(at -> steps.get(at).session != steps.get(at - 1).session)
                        .count()
                == acts.size() - 1;
    }

    /**
     * Whether this may be what {@code oneByOne} was, as far as these calls tell: the same end besides {@link #tellsAs}.
     */
    boolean isLike(Run oneByOne, IntPredicate told) {
        return left.equals(oneByOne.left) && tellsAs(oneByOne, told);
    }

    /**
     * Whether these calls were told what they were told there, and none of them is there on the other side of a call that was
     * over here before it began, or that began when it was over. What says nothing has done nothing, and may come anywhere.
     */
    boolean tellsAs(Run oneByOne, IntPredicate told) {
        return calls().filter(told)
                        .allMatch(each -> isSilent(each) || answers.get(each).equals(oneByOne.answers.get(each)))
                && calls().filter(first -> !isSilent(first))
                        .allMatch(first -> calls().filter(second -> !isSilent(second))
                                .filter(second -> told.test(first) || told.test(second))
                                .noneMatch(
                                        second -> isOverBefore(first, second) && oneByOne.isOverBefore(second, first)));
    }

    private IntStream calls() {
        return IntStream.range(0, answers.size());
    }

    private boolean isSilent(int call) {
        return answers.get(call).equals(World.NO_WORD);
    }

    /** Whether this call may have renewed a hold, and was told that it has none. */
    boolean isLostBeat(int call) {
        return World.BEATS.matcher(acts.get(call).name()).matches()
                && !World.HAS.matcher(answers.get(call)).lookingAt();
    }

    private boolean isOverBefore(int first, int second) {
        for (Step step : steps) {
            if (step.session == second) {
                return false;
            }
            if (step.over.contains(first)) {
                return true;
            }
        }
        return false;
    }

    boolean hasFailed() {
        return answers.stream().anyMatch(answer -> answer.startsWith(Interleaver.FAILED));
    }

    /** Who was told what. */
    String told() {
        return IntStream.range(0, answers.size())
                .mapToObj(each -> each + " " + acts.get(each) + ": " + answers.get(each))
                .collect(Collectors.joining("; ", "", "; left: " + left));
    }

    /** The steps, each with the number of its session. */
    String order() {
        return steps.stream().map(step -> step.session + " " + step.name).collect(Collectors.joining(", "));
    }
}
