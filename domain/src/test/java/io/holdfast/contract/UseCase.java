package io.holdfast.contract;

import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.NotDone;
import io.holdfast.SilenceLimit;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.UnderLease;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Orchestrator.Work;
import io.holdfast.publish.Publishing;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.SaveToken;
import io.holdfast.save.Saving;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A use case that takes a key of its own, and gives it back as soon as its work is done: the next one can take it. */
interface UseCase {
    Holder ME = new Holder("me");
    SilenceLimit LIMIT = SilenceLimit.of(Trial.LIMIT);

    /** A take whose outcome is unknown is repeated once. */
    Budget AT_ONCE = Budget.of(Duration.ofNanos(1));

    /**
     * Takes the key and does the work, on this thread, unless it is refused.
     *
     * @throws io.holdfast.StoreUnavailable if the use case does
     */
    void run(Ports there, Heartbeats heartbeats, Runnable work);

    /** Of each kind one that has not been run yet. */
    static List<Function<Ports, UseCase>> all() {
        return List.of(near -> new Publish(), near -> new OnLease(), Save::new);
    }

    /** With a request key, by which only one that was not started is started again. */
    final class Publish implements UseCase {
        private final AppId app = Trial.newApp();
        private final Slug slug = Trial.newSlug();

        @Override
        public void run(Ports there, Heartbeats heartbeats, Runnable work) {
            new Publishing(
                            there.claims(),
                            (claim, address, from, pulse) -> {
                                work.run();
                                return CompletableFuture.completedFuture(
                                        new Work.Ended(new Ending.NotStarted("it was tried only")));
                            },
                            heartbeats,
                            ME,
                            LIMIT,
                            AT_ONCE)
                    .publish(app, slug, Optional.of(RequestKey.of("key")));
        }

        @Override
        public String toString() {
            return "publish";
        }
    }

    final class OnLease implements UseCase {
        private final LeaseName name = LeaseTrial.newName();

        @Override
        public void run(Ports there, Heartbeats heartbeats, Runnable work) {
            new UnderLease(there.leases(), heartbeats, ME, LIMIT, AT_ONCE).run(name, (lease, pulse) -> {
                work.run();
                return lease;
            });
        }

        @Override
        public String toString() {
            return "run under a lease";
        }
    }

    /** With a token that nobody may use again if it is in doubt. */
    final class Save implements UseCase {
        private final SaveToken token = SaveToken.random();

        Save(Ports near) {
            near.saveTokens().issue(token.digest(), SaveTrial.VALID, IfInDoubt.REFUSE);
        }

        @Override
        public void run(Ports there, Heartbeats heartbeats, Runnable work) {
            try {
                new Saving(there.saveTokens(), heartbeats, ME, LIMIT, AT_ONCE)
                        .save(token, SaveTrial.fingerprint("chapter 7"), (mine, before, pulse) -> {
                            work.run();
                            throw new NotDone("it was tried only");
                        });
            } catch (NotDone expected) {
                // As it said.
            }
        }

        @Override
        public String toString() {
            return "save";
        }
    }
}
