package io.holdfast.app.serve;

import io.holdfast.Budget;
import io.holdfast.Heartbeats;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.app.Backend;
import io.holdfast.app.StoreOptions;
import io.holdfast.publish.Claim;
import io.holdfast.publish.Orchestrator;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast serve}. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpWidth = 100,
        description = {
            "Publishes, releases, saves, rotates refresh tokens and sanctions over HTTP. However many ask at",
            "once, one is done, and all others are told which. It describes itself at /openapi.json.",
            ""
        },
        footer = {
            "",
            "Durations are written 250ms, 30s, 5m, 1h30m. An option that is not given is read from the",
            "environment: --silence-limit from HOLDFAST_SILENCE_LIMIT, and so on.",
            "",
            "Try it:",
            "  holdfast serve --build-time 20s",
            "  curl -i localhost:8080/apps/shop/publishes -H 'Content-Type: application/json' \\",
            "       -d '{\"slug\": \"shop\"}'"
        })
public final class ServeCommand implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    /** Threads that call the orchestrator and end deployments; they wait for little but the database. */
    private static final int WORKERS = 8;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Where to listen (default: ${DEFAULT-VALUE}). Any but loopback needs --token-file.")
    @SuppressWarnings("NullAway.Init")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Which port (default: ${DEFAULT-VALUE}); 0 takes any that is free.")
    private int port;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Bearer tokens that are let in, one per line. Without it, whoever reaches us.")
    private @Nullable Path tokenFile;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "How long one call to the database may take (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Duration budget;

    @Option(
            names = "--beat",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How often running work shows that it lives (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Duration beat;

    @Option(
            names = "--silence-limit",
            paramLabel = "TIME",
            defaultValue = "5m",
            description = {
                "Silence after which another may take over (default: ${DEFAULT-VALUE}).",
                "Four beats at least. No guess at how long the work takes."
            })
    @SuppressWarnings("NullAway.Init")
    private Duration silenceLimit;

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            defaultValue = "1m",
            description = "How long a shutdown waits for running work (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Duration drain;

    @Option(
            names = "--max-builds",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many builds, releases and saves this node runs at once (default: ${DEFAULT-VALUE}).")
    private int maxBuilds;

    @Option(
            names = "--orchestrator",
            paramLabel = "URL",
            defaultValue = "simulated",
            description = {
                "Who builds (default: ${DEFAULT-VALUE}):",
                "  simulated, which builds nothing and takes --build-time;",
                "  an http or https URL, which gets a POST for each deployment."
            })
    @SuppressWarnings("NullAway.Init")
    private String orchestrator;

    @Option(
            names = "--orchestrator-timeout",
            paramLabel = "TIME",
            defaultValue = "15m",
            description = "How long the orchestrator may take to answer (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Duration orchestratorTimeout;

    @Option(
            names = "--build-time",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long a simulated build takes (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Duration buildTime;

    @Option(
            names = "--releaser",
            paramLabel = "URL",
            defaultValue = "simulated",
            description = {
                "Who releases (default: ${DEFAULT-VALUE}, which releases nothing):",
                "  an http or https URL, which gets a POST for each release."
            })
    @SuppressWarnings("NullAway.Init")
    private String releaser;

    @Option(
            names = "--releaser-timeout",
            paramLabel = "TIME",
            defaultValue = "15m",
            description = "How long the releaser may take to answer (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Duration releaserTimeout;

    @Option(
            names = "--writer",
            paramLabel = "URL",
            defaultValue = "simulated",
            description = {
                "Who saves (default: ${DEFAULT-VALUE}, which saves nothing):",
                "  an http or https URL, which gets a POST with each content."
            })
    @SuppressWarnings("NullAway.Init")
    private String writer;

    @Option(
            names = "--writer-timeout",
            paramLabel = "TIME",
            defaultValue = "1m",
            description = "How long the writer may take to answer (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Duration writerTimeout;

    @Option(
            names = "--webhook-secret-file",
            paramLabel = "FILE",
            description = "A secret, with which what is sent to orchestrator, releaser and writer is signed.")
    private @Nullable Path webhookSecretFile;

    @Option(
            names = "--refresh-key-files",
            paramLabel = "FILE",
            split = ",",
            description = {
                "The key that signs refresh tokens, 32 random bytes at least, the same on every node;",
                "after commas those before it, which are still accepted. Without it there are none."
            })
    private List<Path> refreshKeyFiles = List.of();

    @Option(
            names = "--clean-up",
            paramLabel = "TIME",
            defaultValue = "5m",
            description = {
                "How often deployments that nobody will end are ended, and what is over is forgotten",
                "(default: ${DEFAULT-VALUE}); 0s: never."
            })
    @SuppressWarnings("NullAway.Init")
    private Duration cleanUp;

    @Option(
            names = "--keep",
            paramLabel = "TIME",
            defaultValue = "7d",
            description = {
                "How long the results of used save tokens, and families of refresh tokens that are over,",
                "are kept (default: ${DEFAULT-VALUE})."
            })
    @SuppressWarnings("NullAway.Init")
    private Duration keep;

    @Override
    public void run() {
        // Everything that can be refused is refused before anything is started.
        Service.Settings settings = settings();
        ExecutorService workers = Executors.newFixedThreadPool(WORKERS, task -> new Thread(task, "holdfast-worker"));
        Outside outside = outside(workers);
        CountDownLatch stopped = new CountDownLatch(1);
        Backend backend = store.open(settings.budget());
        try {
            String engine = backend.describe();
            backend.prepare();
            Service service = Service.start(Ports.of(backend), outside, settings);
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> {
                                service.close();
                                workers.shutdown();
                                backend.close();
                                LOG.info("stopped");
                                stopped.countDown();
                            },
                            "holdfast-shutdown"));
            announce(service, engine);
        } catch (RuntimeException e) {
            workers.shutdown();
            backend.close();
            throw e;
        }
        awaitUninterruptibly(stopped);
    }

    private void announce(Service service, String engine) {
        LOG.atInfo()
                .setMessage("ready")
                .addKeyValue("store", store.store())
                .addKeyValue("engine", engine)
                .addKeyValue("orchestrator", orchestrator)
                .addKeyValue("releaser", releaser)
                .addKeyValue("writer", writer)
                .addKeyValue("beat", beat)
                .addKeyValue("silenceLimit", silenceLimit)
                .log();
        spec.commandLine().getOut().println("listening on http://" + bracketed(host) + ":" + service.port());
        spec.commandLine().getOut().flush();
    }

    private static String bracketed(String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Service.Settings settings() {
        Optional<Tokens> tokens = Optional.ofNullable(tokenFile).map(Tokens::read);
        if (tokens.isEmpty() && !isLoopback()) {
            throw refused("--host " + host + " can be reached from other machines: give --token-file too, or listen on"
                    + " 127.0.0.1");
        }
        if (port < 0 || port > 65_535) {
            throw refused("--port must be from 0 to 65535: " + port);
        }
        if (maxBuilds < 1) {
            throw refused("--max-builds must be 1 or more: " + maxBuilds);
        }
        if (buildTime.compareTo(SilenceLimit.MAX) > 0) {
            throw refused("--build-time must be at most 365 days: " + buildTime);
        }
        timeOut("--orchestrator-timeout", orchestratorTimeout);
        timeOut("--releaser-timeout", releaserTimeout);
        timeOut("--writer-timeout", writerTimeout);
        upToAYear("--clean-up", cleanUp);
        upToAYear("--keep", keep);
        try {
            SilenceLimit limit = SilenceLimit.of(silenceLimit);
            Heartbeats trial = Heartbeats.every(beat, drain);
            trial.<Claim>of(holds -> Map.of(), limit);
            trial.close();
            return new Service.Settings(
                    host,
                    port,
                    me(),
                    beat,
                    limit,
                    Budget.of(budget),
                    drain,
                    maxBuilds,
                    tokens,
                    RefreshKeys.read(refreshKeyFiles),
                    cleanUp.isZero() ? Optional.empty() : Optional.of(new CleanUp.Plan(cleanUp, keep)));
        } catch (IllegalArgumentException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    private void timeOut(String option, Duration time) {
        if (time.isZero() || time.compareTo(SilenceLimit.MAX) > 0) {
            throw refused(option + " must be more than 0, and at most 365 days: " + time);
        }
    }

    private void upToAYear(String option, Duration time) {
        if (time.isNegative() || time.compareTo(SilenceLimit.MAX) > 0) {
            throw refused(option + " must be from 0 to 365 days: " + time);
        }
    }

    private boolean isLoopback() {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw refused("--host " + host + " is not an address of this machine");
        }
    }

    private ParameterException refused(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static Holder me() {
        String machine;
        try {
            machine = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            machine = "unknown";
        }
        return new Holder(machine + ", process " + ProcessHandle.current().pid());
    }

    private Outside outside(Executor workers) {
        return new Outside(
                webhook("orchestrator", orchestrator, orchestratorTimeout, workers)
                        .<Orchestrator>map(WebhookOrchestrator::new)
                        .orElseGet(() -> new SimulatedOrchestrator(buildTime, workers)),
                webhook("releaser", releaser, releaserTimeout, workers)
                        .<Releaser>map(WebhookReleaser::new)
                        .orElseGet(() -> new SimulatedReleaser(buildTime)),
                webhook("writer", writer, writerTimeout, workers)
                        .<Writer>map(WebhookWriter::new)
                        .orElseGet(SimulatedWriter::new));
    }

    /** Empty for a simulated one. */
    private Optional<Webhook> webhook(String name, String address, Duration timeout, Executor workers) {
        if (address.equals("simulated")) {
            return Optional.empty();
        }
        Optional<Signature> signature = Optional.ofNullable(webhookSecretFile).map(Signature::read);
        return Optional.of(new Webhook(name, url(name, address), signature, timeout, workers));
    }

    private URI url(String name, String address) {
        try {
            URI url = URI.create(address);
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (http && url.getHost() != null && url.getUserInfo() == null) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            LOG.debug("no URL", e);
        }
        throw refused(
                "--" + name + " must be simulated, or an http or https URL with a host and without a password in it");
    }
}
