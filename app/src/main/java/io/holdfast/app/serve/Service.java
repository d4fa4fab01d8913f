package io.holdfast.app.serve;

import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.app.CannotStart;
import io.holdfast.publish.Deployments;
import io.holdfast.publish.Publishing;
import io.holdfast.refresh.RotatingRefreshTokens;
import io.holdfast.refresh.TokenKeys;
import io.holdfast.release.Releasing;
import io.holdfast.sanction.Sanctioning;
import io.holdfast.save.Saving;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import io.javalin.util.JavalinBindException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.UriCompliance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP service while it runs. Closes neither the stores nor the orchestrator that it was given. */
final class Service implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Service.class);

    private static final Pattern OWN_NAME = Pattern.compile("(?i)localhost|127(\\.\\d{1,3}){3}|\\[::1\\]");

    /**
     * @param port 0: any that is free
     * @param drain how long closing waits for builds that run
     * @param mostBuilds that run at once in this node
     * @param tokens without any, only requests to names of this machine are answered
     * @param keys of refresh tokens; without any there are none
     * @param cleanUp empty: never
     */
    record Settings(
            String host,
            int port,
            Holder me,
            Duration beat,
            SilenceLimit limit,
            Budget budget,
            Duration drain,
            int mostBuilds,
            Optional<Tokens> tokens,
            Optional<TokenKeys> keys,
            Optional<CleanUp.Plan> cleanUp) {}

    private final Settings settings;
    private final Deployments deployments;
    private final Heartbeats heartbeats;
    private final Builds builds;
    private final Optional<CleanUp> cleanUp;
    final Javalin http;

    private Service(Ports ports, Outside outside, Settings settings) {
        this.settings = settings;
        this.deployments = ports.deployments();
        // It need not wait: work leaves when its end is known to the store, and close() waits for work.
        this.heartbeats = Heartbeats.every(settings.beat(), Duration.ZERO);
        this.builds = new Builds(settings.mostBuilds());
        this.cleanUp = settings.cleanUp().map(plan -> new CleanUp(plan, settings.beat(), ports, System::nanoTime));
        List<Consumer<RoutesConfig>> apis = apis(ports, outside);
        this.http = Javalin.create(config -> configure(config, apis));
    }

    private List<Consumer<RoutesConfig>> apis(Ports ports, Outside outside) {
        Holder me = settings.me();
        SilenceLimit limit = settings.limit();
        Budget budget = settings.budget();
        return List.of(
                new PublishApi(
                        new Publishing(ports.claims(), outside.orchestrator(), heartbeats, me, limit, budget),
                        ports.claims(),
                        ports.deployments(),
                        builds,
                        limit)::addTo,
                new ReleaseApi(
                        new Releasing(ports.leases(), heartbeats, me, limit, budget),
                        ports.leases(),
                        outside.releaser(),
                        builds,
                        limit)::addTo,
                new SaveApi(
                        new Saving(ports.saveTokens(), heartbeats, me, limit, budget),
                        ports.saveTokens(),
                        outside.writer(),
                        builds,
                        limit)::addTo,
                new RefreshApi(settings.keys().map(keys -> new RotatingRefreshTokens(ports.refreshTokens(), keys)))
                        ::addTo,
                new SanctionApi(new Sanctioning(ports.sanctions(), budget))::addTo);
    }

    /**
     * Starts to listen.
     *
     * @throws CannotStart if the address is not to be had
     */
    static Service start(Ports ports, Outside outside, Settings settings) {
        Service service = new Service(ports, outside, settings);
        try {
            service.http.start(settings.host(), settings.port());
        } catch (JavalinBindException e) {
            throw new CannotStart(
                    "port " + settings.port() + " of " + settings.host() + " is not to be had: choose another --port",
                    e);
        }
        service.cleanUp.ifPresent(CleanUp::start);
        return service;
    }

    int port() {
        return http.port();
    }

    /**
     * Stops in order: the clean-up; takes on no more work; goes on renewing what runs, and answering, until it has ended or the
     * drain limit is over; then stops listening.
     */
    @Override
    public void close() {
        builds.close();
        cleanUp.ifPresent(CleanUp::close);
        LOG.atInfo()
                .setMessage("shutting down: no new work, and what runs has time to end")
                .addKeyValue("builds", builds.running())
                .addKeyValue("limit", settings.drain())
                .log();
        if (!builds.awaitNone(settings.drain())) {
            LOG.atWarn()
                    .setMessage("the drain limit is over, work is left to fall silent and may then be taken over")
                    .addKeyValue("builds", builds.running())
                    .addKeyValue("after", settings.limit().value())
                    .log();
        }
        heartbeats.close();
        http.stop();
    }

    private void configure(JavalinConfig config, List<Consumer<RoutesConfig>> apis) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.jetty.modifyHttpConfiguration(jetty -> {
            jetty.setSendServerVersion(false);
            // An app's id is any text, also "a/b": segments are split before they are decoded, by PathText.
            jetty.setUriCompliance(UriCompliance.from(EnumSet.allOf(UriCompliance.Violation.class)));
        });
        config.jetty.modifyServletContextHandler(
                jetty -> jetty.getServletHandler().setDecodeAmbiguousURIs(true));
        config.jetty.modifyServer(jetty -> jetty.setErrorHandler(new ServerErrors()));
        config.requestLogger.http(Service::log);

        config.routes.before(this::admit);
        config.routes.get("/health/live", ctx -> Answers.json(ctx, 200, Map.of("status", "up")));
        config.routes.get("/health/ready", this::ready);
        byte[] openApi = resource("openapi.json");
        config.routes.get(
                "/openapi.json", ctx -> ctx.contentType("application/json").result(openApi));
        apis.forEach(api -> api.accept(config.routes));

        config.routes.exception(Refused.class, (e, ctx) -> Answers.problem(ctx, e.problem()));
        config.routes.exception(StoreUnavailable.class, (e, ctx) -> {
            LOG.warn("the database did not answer", e);
            Answers.problem(ctx, Problem.unreadable());
        });
        config.routes.exception(HttpResponseException.class, Service::unrouted);
        config.routes.exception(Exception.class, (e, ctx) -> {
            String reference = UUID.randomUUID().toString();
            LOG.error("internal error {}", reference, e);
            Answers.problem(ctx, Problem.internal(reference));
        });
    }

    private void admit(Context ctx) {
        if (ctx.path().startsWith("/health/")) {
            return;
        }
        if (settings.tokens().isPresent()) {
            if (!settings.tokens().get().admit(ctx.header("Authorization"))) {
                throw new Refused(Problem.noToken());
            }
        } else if (!isOwnName(ctx.header("Host"))) {
            // A web page whose name its owner has pointed to 127.0.0.1 would otherwise reach us through a browser.
            throw new Refused(Problem.foreignHost());
        }
    }

    private boolean isOwnName(@org.jspecify.annotations.Nullable String host) {
        if (host == null) {
            return false;
        }
        String name = host.replaceFirst(":\\d+$", "");
        return OWN_NAME.matcher(name).matches() || name.equalsIgnoreCase(settings.host());
    }

    private void ready(Context ctx) {
        if (builds.closed()) {
            throw new Refused(Problem.shuttingDown());
        }
        // A read like any other, of a deployment that is not there.
        deployments.find(AttemptId.random());
        Answers.json(ctx, 200, Map.of("status", "up"));
    }

    private static void unrouted(HttpResponseException e, Context ctx) {
        if (e.getStatus() == 405) {
            ctx.header("Allow", String.valueOf(e.getDetails().get("availableMethods")));
        }
        Answers.problem(
                ctx,
                switch (e.getStatus()) {
                    case 404 -> Problem.noSuchPath();
                    case 405 -> Problem.noSuchMethod();
                    default ->
                        Problem.refusedByServer(
                                e.getStatus(),
                                HttpStatus.forStatus(e.getStatus()).getMessage());
                });
    }

    /** The path as it came, so encoded; no query and no header, where secrets may be. */
    private static void log(Context ctx, Float millis) {
        (ctx.path().startsWith("/health/") ? LOG.atDebug() : LOG.atInfo())
                .setMessage("answered")
                .addKeyValue("method", ctx.method())
                .addKeyValue("path", ctx.path())
                .addKeyValue("status", ctx.statusCode())
                .addKeyValue("ms", Math.round(millis))
                .addKeyValue("from", ctx.ip())
                .log();
    }

    private static byte[] resource(String name) {
        try (InputStream in = Service.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing in the jar");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be read", e);
        }
    }
}
