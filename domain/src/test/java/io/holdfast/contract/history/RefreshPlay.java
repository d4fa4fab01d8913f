package io.holdfast.contract.history;

import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotateOutcome.Replayed;
import io.holdfast.refresh.RotateOutcome.Rotated;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** A family is rotated, revoked, and opened again or forgotten; not both, as an id is opened once. */
final class RefreshPlay implements Play<RefreshModel> {
    private final FamilyId family = FamilyId.random();
    private final boolean isForgotten;
    private final RefreshModel opened;
    private final Board<Generation> given = new Board<>();

    RefreshPlay(Random random, RefreshTokenStore tokens) {
        this.isForgotten = random.nextBoolean();
        FamilyTerms terms = anyTerms(random);
        this.opened = RefreshModel.opened(terms);
        tokens.open(family, terms);
        given.add(Generation.first(family));
    }

    private static FamilyTerms anyTerms(Random random) {
        Duration grace = Duration.ofMinutes(20 + 60L * random.nextInt(3));
        Duration token = grace.plusHours(random.nextInt(4));
        return new FamilyTerms(token.plusHours(random.nextInt(8)), token, grace);
    }

    @Override
    public String port() {
        return "refresh tokens";
    }

    @Override
    public String rules() {
        return "G1 G2 G9 R1 R2 R3 R4 R5 R6 R7";
    }

    @Override
    public RefreshModel start() {
        return opened;
    }

    @Override
    public void move(Client<RefreshModel> client) {
        Generation one = given.any(client.random()).orElseThrow();
        int dice = client.random().nextInt(100);
        if (dice < 3) {
            revoke(client);
        } else if (dice < 12) {
            openOrForget(client);
        } else if (dice < 15) {
            // As when a fail-over has set the row back.
            rotate(
                    client,
                    new Generation(family, one.number() + 1 + client.random().nextInt(3)));
        } else {
            rotate(client, one);
        }
    }

    private void openOrForget(Client<RefreshModel> client) {
        Duration keep = client.anyTime();
        FamilyTerms terms = anyTerms(client.random());
        if (isForgotten) {
            client.ask(
                    "forget what is over for " + keep,
                    () -> client.ports().refreshTokens().forget(keep, 9),
                    (key, said) -> key.forget(keep, said));
        } else {
            client.ask(
                    "open again " + terms,
                    () -> {
                        client.ports().refreshTokens().open(family, terms);
                        return "opened";
                    },
                    (key, said) -> Optional.of(key)); // the first terms stand
        }
    }

    private void rotate(Client<RefreshModel> client, Generation presented) {
        client.<RotateOutcome<Generation>>ask(
                        "rotate " + presented.number(),
                        () -> client.ports().refreshTokens().rotate(presented),
                        (key, said) -> key.rotate(presented, said))
                .ifPresent(outcome -> {
                    if (outcome instanceof Rotated<Generation> rotated) {
                        given.add(rotated.successor());
                    } else if (outcome instanceof Replayed<Generation> replayed) {
                        given.add(replayed.successor());
                    }
                });
    }

    private void revoke(Client<RefreshModel> client) {
        client.ask(
                "revoke",
                () -> {
                    client.ports().refreshTokens().revoke(family);
                    return "revoked";
                },
                (key, said) -> key.revoke());
    }
}
