package io.holdfast.docs;

import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.postgres.PostgresStores;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Orchestrator;
import io.holdfast.publish.Publishing;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;

/** A service that has a database already. */
final class Embedding implements AutoCloseable {
    private final ExecutorService builders = Executors.newFixedThreadPool(8);
    private final Heartbeats heartbeats = Heartbeats.everyHalfMinute();
    private final Publishing publishing;

    // tag::wiring
    Embedding(DataSource work, DataSource beats) {
        PostgresStores stores = PostgresStores.of(work).heartbeatsOn(beats);
        stores.migrate(); // or let your migration tool run the file that it runs
        stores.check(); // refuses to start on a schema that would let two holders in
        publishing = new Publishing(stores.claims(), deployer(), heartbeats, new Holder("api-1"));
    }
    // end::wiring

    // tag::orchestrator
    private Orchestrator deployer() {
        return (claim, slug, takenOverFrom, pulse) -> CompletableFuture.supplyAsync(
                () -> {
                    URI url = build(slug); // your work; ask pulse.view() before a step that must not run twice
                    return new Orchestrator.Work.Ended(new Ending.Live(url));
                },
                builders);
    }
    // end::orchestrator

    // tag::publish
    String publish(String app, String slug, String idempotencyKey) {
        return publishing
                .publish(AppId.of(app), Slug.of(slug), Optional.of(RequestKey.of(idempotencyKey)))
                .fold(
                        started -> "202 follow " + started.claim().attempt(),
                        before ->
                                "200 it had its answer: " + before.deployment().id(),
                        other -> "422 this key was used for the slug "
                                + other.deployment().slug().value(),
                        running ->
                                "409 publish_in_progress: " + running.running().attempt() + ", wait",
                        fixed -> "409 this app is live as " + fixed.current().value(),
                        taken -> "409 choose another name than " + taken.slug().value());
    }
    // end::publish

    // tag::close
    @Override
    public void close() {
        heartbeats.close(); // waits for what still runs, and keeps it alive meanwhile
        builders.shutdown();
    }
    // end::close

    private static URI build(Slug slug) {
        return URI.create("https://" + slug.value() + ".example");
    }
}
