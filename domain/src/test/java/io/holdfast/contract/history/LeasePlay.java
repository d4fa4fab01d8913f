package io.holdfast.contract.history;

import io.holdfast.Fence;
import io.holdfast.Succession;
import io.holdfast.contract.history.LeaseModel.Wish;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A lease is acquired, renewed, released and evicted. */
final class LeasePlay implements Play<LeaseModel> {
    private final LeaseName name = LeaseName.of("lease-" + UUID.randomUUID());
    private final Board<Wish> wishes = new Board<>();
    private final Board<Lease> leases = new Board<>();
    private final Board<Fence> fences = new Board<>();

    @Override
    public String port() {
        return "leases";
    }

    @Override
    public String rules() {
        return "G1 G2 G4 G5 G6 G7 G8 G9 G12 G15 L1 L2 L3 L4";
    }

    @Override
    public LeaseModel start() {
        return LeaseModel.NEVER_USED;
    }

    @Override
    public void move(Client<LeaseModel> client) {
        Optional<Wish> asked = wishes.any(client.random());
        Optional<Lease> granted = leases.any(client.random());
        Optional<Fence> seen = fences.any(client.random());
        int dice = client.random().nextInt(100);
        if (dice < 15 && asked.isPresent()) {
            acquire(client, asked.get());
        } else if (dice < 35 && granted.isPresent()) {
            renew(client, granted.get());
        } else if (dice < 55 && granted.isPresent()) {
            release(client, granted.get());
        } else if (dice < 63 && seen.isPresent()) {
            evict(client, seen.get());
        } else if (dice < 70) {
            find(client);
        } else {
            acquire(client, new Wish(client.newAttempt(), client.me(), client.anyLimit()));
        }
    }

    private void acquire(Client<LeaseModel> client, Wish wish) {
        wishes.add(wish);
        client.<LeaseOutcome>askToBeat(
                        "acquire " + wish,
                        () -> client.ports().leases().acquire(name, wish.attempt(), wish.holder(), wish.limit()),
                        (key, said) -> key.acquire(wish, said),
                        key -> key.beaten(wish.attempt()))
                .ifPresent(outcome -> {
                    if (outcome instanceof LeaseOutcome.Acquired won) {
                        leases.add(won.lease());
                        fences.add(won.lease().fence());
                    } else if (outcome instanceof LeaseOutcome.Taken taken) {
                        fences.add(taken.by().fence());
                    }
                });
    }

    private void renew(Client<LeaseModel> client, Lease lease) {
        client.askToBeat(
                "renew " + lease,
                () -> client.ports().leases().renew(List.of(lease)),
                (key, said) -> key.renew(lease, said),
                key -> key.beaten(lease.attempt()));
    }

    /** Sometimes with the fence of another one, that was never granted (G6). */
    private void release(Client<LeaseModel> client, Lease granted) {
        Lease lease = client.percent(10)
                ? new Lease(name, granted.attempt(), new Fence(granted.fence().value() - 1))
                : granted;
        Duration minimum = client.percent(70) ? Duration.ZERO : client.anyTime();
        client.ask(
                "release " + lease + " minimum " + minimum,
                () -> client.ports().leases().release(lease, minimum),
                (key, said) -> key.release(lease, minimum, said));
    }

    private void evict(Client<LeaseModel> client, Fence seen) {
        Succession succession = client.any(List.of(Succession.values()));
        client.ask(
                "evict " + seen + " " + succession,
                () -> client.ports().leases().evict(name, seen, succession),
                (key, said) -> key.evict(seen, succession, said));
    }

    private void find(Client<LeaseModel> client) {
        client.ask("find", () -> client.ports().leases().find(name), LeaseModel::find);
    }
}
