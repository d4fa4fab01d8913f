package io.holdfast.contract.history;

import io.holdfast.AttemptId;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.ReplaceOutcome;
import io.holdfast.sanction.Terms;
import java.util.Optional;
import java.util.UUID;

/** An account is sanctioned, and that is replaced, lifted, and looked at. */
final class SanctionPlay implements Play<SanctionModel> {
    private final Account account = Account.of("account-" + UUID.randomUUID());
    private final Board<Wish> wishes = new Board<>();

    /** What one operator asks, as often as he asks. */
    private record Wish(AttemptId id, Terms terms) {}

    @Override
    public String port() {
        return "sanctions";
    }

    @Override
    public String rules() {
        return "G1 G2 G5 G9 G12 B1 B2 B3 B4 B5";
    }

    @Override
    public SanctionModel start() {
        return SanctionModel.NONE;
    }

    @Override
    public void move(Client<SanctionModel> client) {
        Optional<Wish> asked = wishes.any(client.random());
        Optional<Wish> seen = wishes.any(client.random());
        int dice = client.random().nextInt(100);
        if (asked.isEmpty() || seen.isEmpty() || dice < 25) {
            impose(client, wish(client));
        } else if (dice < 35) {
            impose(client, asked.get());
        } else if (dice < 55) {
            replace(client, seen.get().id(), wish(client));
        } else if (dice < 63) {
            replace(client, seen.get().id(), asked.get());
        } else if (dice < 83) {
            lift(client, seen.get().id());
        } else {
            look(client);
        }
    }

    private Wish wish(Client<SanctionModel> client) {
        Terms terms = new Terms(
                account,
                "reason " + client.random().nextInt(1_000),
                client.me(),
                client.percent(30) ? Optional.empty() : Optional.of(client.anyTime()));
        return new Wish(client.newAttempt(), terms);
    }

    private void impose(Client<SanctionModel> client, Wish wish) {
        wishes.add(wish);
        client.<ImposeOutcome>ask(
                "impose " + wish,
                () -> client.ports().sanctions().impose(wish.id(), wish.terms()),
                (key, said) -> key.impose(wish.id(), wish.terms(), said));
    }

    private void replace(Client<SanctionModel> client, AttemptId seen, Wish wish) {
        wishes.add(wish);
        client.<ReplaceOutcome>ask(
                "replace " + seen + " by " + wish,
                () -> client.ports().sanctions().replace(seen, wish.id(), wish.terms()),
                (key, said) -> key.replace(seen, wish.id(), wish.terms(), said));
    }

    private void lift(Client<SanctionModel> client, AttemptId seen) {
        client.ask(
                "lift " + seen,
                () -> client.ports().sanctions().lift(account, seen, client.me()),
                (key, said) -> key.lift(seen, client.me(), said));
    }

    private void look(Client<SanctionModel> client) {
        if (client.percent(50)) {
            client.ask("active", () -> client.ports().sanctions().active(account), SanctionModel::active);
        } else {
            client.ask(
                    "history 4",
                    () -> client.ports().sanctions().history(account, 4),
                    (key, said) -> key.history(4, said));
        }
    }
}
