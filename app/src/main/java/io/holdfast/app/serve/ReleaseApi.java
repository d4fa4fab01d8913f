package io.holdfast.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.Eviction;
import io.holdfast.NotDone;
import io.holdfast.Pulse;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.Succession;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseStore;
import io.holdfast.lease.UnderLease.Run;
import io.holdfast.release.ContentId;
import io.holdfast.release.Releasing;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes of releases, and of the leases that they are under. */
final class ReleaseApi {
    private static final Logger LOG = LoggerFactory.getLogger(ReleaseApi.class);

    private final Releasing releasing;
    private final LeaseStore leases;
    private final Releaser releaser;
    private final Builds builds;
    private final SilenceLimit limit;

    ReleaseApi(Releasing releasing, LeaseStore leases, Releaser releaser, Builds builds, SilenceLimit limit) {
        this.releasing = releasing;
        this.leases = leases;
        this.releaser = releaser;
        this.builds = builds;
        this.limit = limit;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/contents/{content}/releases", this::release);
        routes.get("/leases/{name}", this::lease);
        routes.post("/leases/{name}/evictions", this::evict);
    }

    private void release(Context ctx) {
        String text = Incoming.segment(ctx, 1);
        ContentId content = Incoming.valid(() -> ContentId.of(text));
        Incoming.json(ctx);
        run(content)
                .<Context>fold(
                        ran -> {
                            if (ran.result().ending() instanceof Releaser.Ending.Failed failed) {
                                throw new Refused(ReleaseProblems.failed(content, failed.error()));
                            }
                            return Answers.json(
                                    ctx, 200, view(content, ran.result().lease(), ran.lease()));
                        },
                        refused -> {
                            throw new Refused(ReleaseProblems.releaseInProgress(content, refused.by()));
                        });
    }

    private static Map<String, Object> view(ContentId content, Lease lease, Pulse.View known) {
        return Views.members(
                "content",
                content.value(),
                "state",
                "released",
                "lease",
                Views.members(
                        "name",
                        lease.name().value(),
                        "attempt",
                        lease.attempt().toString(),
                        "fence",
                        lease.fence().value(),
                        "state",
                        switch (known) {
                            case HELD -> "held_to_the_end";
                            case UNSURE -> "unsure";
                            case LOST -> "lost";
                        }));
    }

    /** How it ended, and under which lease. */
    private record Ended(Lease lease, Releaser.Ending ending) {}

    private Run<Ended> run(ContentId content) {
        builds.enter();
        try {
            return releasing.release(content, (lease, pulse) -> {
                log("release begun", content, lease);
                Ended ended = new Ended(lease, released(content, lease));
                log("release ended", content, lease);
                return ended;
            });
        } catch (NotDone e) {
            LOG.warn("a release was not begun", e);
            throw new Refused(ReleaseProblems.notBegun(content, e.getMessage()));
        } catch (StoreUnavailable e) {
            LOG.warn("a release was not begun", e);
            throw new Refused(ReleaseProblems.storeUnavailable(e.effect(), limit.value()));
        } catch (IllegalStateException e) {
            // The node began to shut down after the place was taken.
            throw builds.closed() ? new Refused(Problem.shuttingDown()) : e;
        } finally {
            builds.leave();
        }
    }

    /**
     * Whoever else comes must not begin while a release may still go on at the other end of a call that nobody answered. Such a
     * lease is not let go like others, but evicted: others get it when a silent holder's limit would be over.
     */
    private Releaser.Ending released(ContentId content, Lease lease) throws NotDone {
        try {
            return releaser.release(content, lease);
        } catch (IOException | RuntimeException e) {
            LOG.warn("nobody knows what became of the release of {} under fence {}", content.value(), lease.fence(), e);
            throw new Refused(ReleaseProblems.inDoubt(content, left(lease)));
        }
    }

    /** Does not return before it is known; until then the lease is renewed. */
    private Duration left(Lease lease) {
        // A thread that was interrupted would get no answer from the store.
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return leases.evict(lease.name(), lease.fence(), Succession.WHEN_SILENT)
                            .fold(Eviction.Evicted::takeableIn, moved -> Duration.ZERO);
                } catch (StoreUnavailable e) {
                    LOG.warn("the lease of a release in doubt is kept until it can be left", e);
                    interrupted |= !pause();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns false if it was interrupted. */
    private static boolean pause() {
        try {
            Thread.sleep(1_000);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private static void log(String message, ContentId content, Lease lease) {
        LOG.atInfo()
                .setMessage(message)
                .addKeyValue("content", content.value())
                .addKeyValue("attempt", lease.attempt())
                .addKeyValue("fence", lease.fence())
                .log();
    }

    private void lease(Context ctx) {
        LeaseName name = name(ctx);
        Map<String, Object> view = Views.members("name", name.value(), "state", "free");
        leases.find(name).ifPresent(by -> {
            view.put("state", "held");
            view.putAll(Views.incumbent(by));
        });
        Answers.json(ctx, 200, view);
    }

    private void evict(Context ctx) {
        LeaseName name = name(ctx);
        JsonNode said = Incoming.json(ctx, "fence", "when");
        Evictions.answer(ctx, leases.evict(name, Evictions.seen(said), Evictions.when(said)));
    }

    private static LeaseName name(Context ctx) {
        String text = Incoming.segment(ctx, 1);
        return Incoming.valid(() -> LeaseName.of(text));
    }
}
