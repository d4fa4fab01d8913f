package io.holdfast.contract.history;

import io.holdfast.Fence;
import io.holdfast.save.Ending;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.TokenDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A save token is reserved, renewed, ended, settled, and issued again or forgotten. Not both: who has it was told that it is
 * issued, and one that is forgotten is never issued again.
 */
final class SavePlay implements Play<SaveModel> {
    private static final List<Fingerprint> PAYLOADS =
            List.of(Fingerprint.of(new byte[] {1}), Fingerprint.of(new byte[] {2}));

    private final TokenDigest token = SaveToken.random().digest();
    private final boolean isForgotten;
    private final SaveModel issued;
    private final Board<ReserveRequest> wishes = new Board<>();
    private final Board<Reservation> reservations = new Board<>();
    private final Board<Fence> fences = new Board<>();

    SavePlay(Random random, SaveTokenStore tokens) {
        this.isForgotten = random.nextBoolean();
        Duration validFor = anyTime(random);
        IfInDoubt policy = random.nextBoolean() ? IfInDoubt.RUN_AGAIN : IfInDoubt.REFUSE;
        this.issued = SaveModel.issued(validFor, policy);
        tokens.issue(token, validFor, policy);
    }

    private static Duration anyTime(Random random) {
        return Duration.ofMinutes(20 + 60L * random.nextInt(9));
    }

    @Override
    public String port() {
        return "save tokens";
    }

    @Override
    public String rules() {
        return "G1 G2 G4 G5 G6 G7 G8 G9 G12 S1 S2 S3 S4 S5 S6 S7";
    }

    @Override
    public SaveModel start() {
        return issued;
    }

    @Override
    public void move(Client<SaveModel> client) {
        Optional<ReserveRequest> asked = wishes.any(client.random());
        Optional<Reservation> granted = reservations.any(client.random());
        Optional<Fence> seen = fences.any(client.random());
        int dice = client.random().nextInt(100);
        if (dice < 15 && asked.isPresent()) {
            reserve(client, asked.get());
        } else if (dice < 35 && granted.isPresent()) {
            renew(client, granted.get());
        } else if (dice < 55 && granted.isPresent()) {
            end(client, granted.get());
        } else if (dice < 65 && seen.isPresent()) {
            settle(client, seen.get());
        } else if (dice < 72) {
            issueOrForget(client);
        } else {
            reserve(client, wish(client));
        }
    }

    private ReserveRequest wish(Client<SaveModel> client) {
        return new ReserveRequest(
                token, client.newAttempt(), PAYLOADS.get(client.percent(85) ? 0 : 1), client.me(), client.anyLimit());
    }

    private void issueOrForget(Client<SaveModel> client) {
        Duration time = anyTime(client.random());
        IfInDoubt policy = client.any(List.of(IfInDoubt.values()));
        if (isForgotten) {
            client.ask(
                    "forget what is over for " + time,
                    () -> client.ports().saveTokens().forget(time, 9),
                    (key, said) -> key.forget(time, said));
        } else {
            client.ask(
                    "issue again for " + time + " " + policy,
                    () -> {
                        client.ports().saveTokens().issue(token, time, policy);
                        return "issued";
                    },
                    (key, said) -> Optional.of(key)); // the first terms stand
        }
    }

    private void reserve(Client<SaveModel> client, ReserveRequest wish) {
        wishes.add(wish);
        client.<ReserveOutcome>askToBeat(
                        "reserve " + wish,
                        () -> client.ports().saveTokens().reserve(wish),
                        (key, said) -> key.reserve(wish, said),
                        key -> key.beaten(wish.attempt()))
                .ifPresent(outcome -> {
                    if (outcome instanceof Reserved won) {
                        reservations.add(won.reservation());
                        fences.add(won.reservation().fence());
                    } else if (outcome instanceof Refusal.InDoubt doubt) {
                        fences.add(doubt.by().fence());
                    }
                });
    }

    private void renew(Client<SaveModel> client, Reservation reservation) {
        client.askToBeat(
                "renew " + reservation,
                () -> client.ports().saveTokens().renew(List.of(reservation)),
                (key, said) -> key.renew(reservation, said),
                key -> key.beaten(reservation.attempt()));
    }

    /** Sometimes with the fence of another one, that was never granted (G6). */
    private void end(Client<SaveModel> client, Reservation granted) {
        Reservation reservation = client.percent(10)
                ? new Reservation(
                        token, granted.attempt(), new Fence(granted.fence().value() - 1))
                : granted;
        Ending ending = anyEnding(client);
        client.ask(
                "end " + reservation + " " + ending,
                () -> client.ports().saveTokens().end(reservation, ending),
                (key, said) -> key.end(reservation, ending, said));
    }

    private void settle(Client<SaveModel> client, Fence seen) {
        Ending ending = anyEnding(client);
        client.ask(
                "settle " + seen + " " + ending,
                () -> client.ports().saveTokens().settle(token, seen, ending),
                (key, said) -> key.settle(seen, ending, said));
    }

    /** Not often a result: nothing happens to a token that has one. */
    private static Ending anyEnding(Client<SaveModel> client) {
        return client.percent(70)
                ? new Ending.NotSaved()
                : SaveResult.of(new byte[client.random().nextInt(100)]);
    }
}
