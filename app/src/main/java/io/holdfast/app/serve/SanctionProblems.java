package io.holdfast.app.serve;

import io.holdfast.AttemptId;
import io.holdfast.StoreUnavailable;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.Sanction;
import java.util.Map;

/** What may be answered instead of a sanction. */
final class SanctionProblems {
    private SanctionProblems() {}

    static Problem alreadySanctioned(Sanction active) {
        return Problem.of(
                        "already_sanctioned",
                        409,
                        "Already sanctioned",
                        Json.quoted(active.terms().account().value()) + " has sanction " + active.id() + ", imposed by "
                                + Json.quoted(active.terms().by().label()) + " at " + active.since()
                                + ", and nothing was changed. Read it, and replace it if it is not enough.",
                        "replace_that_one")
                .with(Map.of("sanction", Views.sanction(active)));
    }

    static Problem anotherSanction(AttemptId seen, Sanction active) {
        return Problem.of(
                        "another_sanction",
                        409,
                        "Another sanction stands",
                        "Sanction " + seen + " is not the one that "
                                + Json.quoted(active.terms().account().value())
                                + " has: that is " + active.id() + ", imposed by "
                                + Json.quoted(active.terms().by().label()) + " at " + active.since()
                                + ", and it was left alone. Read it, and name it if you mean it, too.",
                        "look")
                .with(Map.of("sanction", Views.sanction(active)));
    }

    static Problem nothingToReplace(Account account) {
        return Problem.of(
                "nothing_to_replace",
                409,
                "Nothing to replace",
                Json.quoted(account.value()) + " has no sanction any more, and nothing was changed: impose a new one.",
                "impose");
    }

    static Problem noSuchSanction(Account account, AttemptId seen) {
        return Problem.of(
                "no_such_sanction",
                404,
                "No such sanction",
                Json.quoted(account.value()) + " has no sanction, and " + seen + " is not in its history.",
                "check_the_address");
    }

    static Problem notSanctioned(Account account) {
        return Problem.of(
                "not_sanctioned",
                404,
                "Not sanctioned",
                Json.quoted(account.value()) + " has no sanction now.",
                "carry_on");
    }

    static Problem storeUnavailable(StoreUnavailable.Effect effect, Account account) {
        return Problem.unanswered(
                effect,
                "Nothing was imposed, because the database did not answer: send the same request again.",
                "maybe_a_sanction",
                "The database did not answer, and a sanction of " + Json.quoted(account.value())
                        + " may have been imposed: look at its sanction, and send the request again if it is not the one.");
    }
}
