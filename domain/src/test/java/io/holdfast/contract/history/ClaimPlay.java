package io.holdfast.contract.history;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Succession;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Deployments;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal.InProgress;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** An app is published, renewed, finished, evicted, cleaned up, and looked at. */
final class ClaimPlay implements Play<ClaimModel> {
    private final Deployments deployments;
    private final AppId app = AppId.of("app-" + UUID.randomUUID());
    private final List<Slug> slugs = List.of(Slug.of("s-" + UUID.randomUUID()), Slug.of("t-" + UUID.randomUUID()));
    private final Board<ClaimRequest> wishes = new Board<>();
    private final Board<Claim> claims = new Board<>();
    private final Board<Fence> fences = new Board<>();

    /**
     * @param deployments the reading side, over a network that loses nothing
     */
    ClaimPlay(Deployments deployments) {
        this.deployments = deployments;
    }

    @Override
    public String port() {
        return "publish claims";
    }

    @Override
    public String rules() {
        return "G1 G2 G4 G5 G6 G7 G8 G9 G12 G15 C1 C2 C3 C5 C6 C8 C9 C10 C11 C12";
    }

    @Override
    public ClaimModel start() {
        return ClaimModel.NEVER_PUBLISHED;
    }

    @Override
    public void move(Client<ClaimModel> client) {
        Optional<ClaimRequest> asked = wishes.any(client.random());
        Optional<Claim> granted = claims.any(client.random());
        Optional<Fence> seen = fences.any(client.random());
        int dice = client.random().nextInt(100);
        if (dice < 15 && asked.isPresent()) {
            claim(client, asked.get());
        } else if (dice < 30 && granted.isPresent()) {
            renew(client, granted.get());
        } else if (dice < 45 && granted.isPresent()) {
            finish(client, granted.get());
        } else if (dice < 52 && seen.isPresent()) {
            evict(client, seen.get());
        } else if (dice < 60) {
            endSilent(client);
        } else if (dice < 72 && asked.isPresent()) {
            look(client, asked.get().attempt());
        } else {
            claim(client, wish(client));
        }
    }

    private ClaimRequest wish(Client<ClaimModel> client) {
        return new ClaimRequest(
                client.newAttempt(),
                app,
                slugs.get(client.percent(75) ? 0 : 1),
                client.me(),
                client.anyLimit(),
                client.percent(60)
                        ? Optional.empty()
                        : Optional.of(RequestKey.of(client.any(List.of("a request", "another request")))));
    }

    private void claim(Client<ClaimModel> client, ClaimRequest wish) {
        wishes.add(wish);
        client.<ClaimOutcome>askToBeat(
                        "claim " + wish,
                        () -> client.ports().claims().claim(wish),
                        (key, said) -> key.claim(wish, said),
                        key -> key.beaten(wish.attempt()))
                .ifPresent(outcome -> {
                    if (outcome instanceof Claimed won) {
                        claims.add(won.claim());
                        fences.add(won.claim().fence());
                    } else if (outcome instanceof InProgress lost) {
                        fences.add(lost.running().fence());
                    }
                });
    }

    private void renew(Client<ClaimModel> client, Claim claim) {
        client.askToBeat(
                "renew " + claim,
                () -> client.ports().claims().renew(List.of(claim)),
                (key, said) -> key.renew(claim, said),
                key -> key.beaten(claim.attempt()));
    }

    /** Sometimes with the fence of another one, that was never granted (G6). */
    private void finish(Client<ClaimModel> client, Claim granted) {
        Claim claim = client.percent(10)
                ? new Claim(app, granted.attempt(), new Fence(granted.fence().value() - 1))
                : granted;
        String one = String.valueOf(client.random().nextInt(1_000));
        Ending ending = client.any(List.of(
                new Ending.Live(URI.create("https://" + one + ".example")),
                new Ending.Failed(one),
                new Ending.NotStarted(one)));
        client.ask(
                "finish " + claim + " " + ending,
                () -> client.ports().claims().finish(claim, ending),
                (key, said) -> key.finish(claim, ending, said));
    }

    private void evict(Client<ClaimModel> client, Fence seen) {
        Succession succession = client.any(List.of(Succession.values()));
        client.ask(
                "evict " + seen + " " + succession,
                () -> client.ports().claims().evict(app, seen, succession),
                (key, said) -> key.evict(seen, succession, said));
    }

    private void endSilent(Client<ClaimModel> client) {
        Duration inContact = Duration.ofHours(client.random().nextInt(4));
        client.ask(
                "endSilent, in contact for " + inContact,
                () -> client.ports().claims().endSilent(9, inContact),
                (key, said) -> key.endSilent(inContact, said));
    }

    private void look(Client<ClaimModel> client, AttemptId id) {
        if (client.percent(50)) {
            client.ask("find " + id, () -> deployments.find(id), (key, said) -> key.find(id, said));
        } else if (client.percent(50)) {
            client.ask("live", () -> deployments.live(app), ClaimModel::live);
        } else {
            client.ask("recent 3", () -> deployments.recent(app, 3), (key, said) -> key.recent(3, said));
        }
    }
}
