package io.holdfast.app.serve;

import io.holdfast.AttemptId;
import io.holdfast.StoreUnavailable;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.save.SaveTokenStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends deployments that nobody would ever end, and forgets what is over, from time to time and in small batches. It decides
 * nothing: whatever it ends may be taken over in any case, and every node may clean up.
 *
 * <p>It looks at the database far more often than it cleans up, because what looks dead after an outage may only have been cut
 * off like everybody else: see {@link Contact}.
 */
final class CleanUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CleanUp.class);

    private static final int BATCH = 200;
    /** What is left then waits for the next round: a backlog must not keep the database busy. */
    private static final int MOST_BATCHES = 50;

    /**
     * When, and what.
     *
     * @param every time between two rounds, more or less: nodes that were started together must not clean up together
     * @param keep for how long the results of used save tokens, and families of refresh tokens that are over, are kept
     */
    record Plan(Duration every, Duration keep) {}

    /** Ends or forgets so many at most, and returns how many it were. */
    @FunctionalInterface
    private interface Batch {
        int run(int atMost);
    }

    /** One kind of thing that is cleaned up. */
    private record Duty(String what, Batch batch) {}

    private final Plan plan;
    private final Duration look;
    private final LongSupplier nanos;
    private final Deployments deployments;
    private final Contact contact;
    private final List<Duty> duties;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread cleaner = new Thread(task, "holdfast-clean-up");
        cleaner.setDaemon(true);
        return cleaner;
    });

    private long due;
    private volatile @Nullable Future<?> ticks;
    private volatile boolean closed;

    /** @param look how often the database is looked at */
    CleanUp(Plan plan, Duration look, Ports ports, LongSupplier nanos) {
        this.plan = plan;
        this.look = look;
        this.nanos = nanos;
        this.deployments = ports.deployments();
        this.contact = new Contact(look.multipliedBy(2), nanos);
        ClaimStore claims = ports.claims();
        SaveTokenStore saves = ports.saveTokens();
        RefreshTokenStore refreshes = ports.refreshTokens();
        this.duties = List.of(
                new Duty("deployments that had fallen silent", most -> endSilent(claims, most)),
                new Duty("save tokens that were over", most -> saves.forget(plan.keep(), most)),
                new Duty("families of refresh tokens that were over", most -> refreshes.forget(plan.keep(), most)));
        // Not at once: nodes are often started together.
        this.due = nanos.getAsLong()
                + (long) (plan.every().toNanos() * ThreadLocalRandom.current().nextDouble());
    }

    void start() {
        ticks = thread.scheduleWithFixedDelay(this::tick, 0, look.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Looks, and cleans up if it is time to. Survives whatever it meets: the next tick must come. */
    void tick() {
        try {
            // A read like any other, of a deployment that is not there.
            deployments.find(AttemptId.random());
            contact.answered();
        } catch (Throwable e) {
            contact.failed();
            LOG.debug("no contact with the database", e);
            return;
        }
        if (nanos.getAsLong() - due >= 0) {
            duties.forEach(this::fulfil);
            double jitter = 0.75 + ThreadLocalRandom.current().nextDouble() / 2;
            due = nanos.getAsLong() + (long) (plan.every().toNanos() * jitter);
        }
    }

    private void fulfil(Duty duty) {
        long sum = 0;
        try {
            int last = BATCH;
            for (int i = 0; i < MOST_BATCHES && last == BATCH && !closed; i++) {
                last = duty.batch().run(BATCH);
                sum += last;
            }
        } catch (Throwable e) {
            if (e instanceof StoreUnavailable) {
                contact.failed();
            }
            LOG.warn("the clean-up of {} is left to the next round", duty.what(), e);
        }
        if (sum > 0) {
            LOG.atInfo()
                    .setMessage("cleaned up")
                    .addKeyValue("what", duty.what())
                    .addKeyValue("number", sum)
                    .log();
        }
    }

    private int endSilent(ClaimStore claims, int atMost) {
        List<Claim> ended = claims.endSilent(atMost, contact.lasted());
        for (Claim claim : ended) {
            LOG.atInfo()
                    .setMessage("a deployment was ended whose owner has been silent for twice its limit")
                    .addKeyValue("deployment", claim.attempt())
                    .addKeyValue("app", claim.app().value())
                    .addKeyValue("fence", claim.fence())
                    .log();
        }
        return ended.size();
    }

    /** Waits for the batch that is being done; its budget bounds that. */
    @Override
    public void close() {
        closed = true;
        Future<?> planned = ticks;
        if (planned != null) {
            planned.cancel(false);
        }
        thread.shutdown();
        try {
            if (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
                LOG.warn("the clean-up does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
