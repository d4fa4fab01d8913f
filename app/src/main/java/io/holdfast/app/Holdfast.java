package io.holdfast.app;

import io.holdfast.app.race.RaceCommand;
import io.holdfast.app.serve.ServeCommand;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
        name = "holdfast",
        mixinStandardHelpOptions = true,
        versionProvider = Holdfast.Version.class,
        description = "Run it exactly once, on the database you already have.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ServeCommand.class, RaceCommand.class, CommandLine.HelpCommand.class},
        footer = {
            "",
            "An option that is not given is read from the environment: --silence-limit from",
            "HOLDFAST_SILENCE_LIMIT, and so on. Exit codes: 0 done, 1 it went wrong, 2 bad",
            "options."
        })
public final class Holdfast implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    Holdfast() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Holdfast())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setDefaultValueProvider(Holdfast::fromEnvironment)
                .registerConverter(Duration.class, new Durations())
                .setParameterExceptionHandler(Holdfast::refuse)
                .setExecutionExceptionHandler(Holdfast::explain);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do: serve, race, or help");
    }

    /** {@code --silence-limit} is {@code HOLDFAST_SILENCE_LIMIT}, for every option of every command. */
    private static @Nullable String fromEnvironment(ArgSpec arg) {
        if (!(arg instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
            return null;
        }
        String name = option.longestName().substring("--".length()).replace('-', '_');
        String value = System.getenv("HOLDFAST_" + name.toUpperCase(Locale.ROOT));
        // Kubernetes tells every container about a service called holdfast: HOLDFAST_PORT=tcp://10.0.0.1:8080.
        return value != null && value.startsWith("tcp://") ? null : value;
    }

    /** Says what is wrong, and where to read on; the whole help would push the message off the screen. */
    private static int refuse(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        say(command, failure.getMessage());
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(failure, command.getErr())) {
            say(command, "see " + command.getCommandSpec().qualifiedName() + " --help");
        }
        return CommandLine.ExitCode.USAGE;
    }

    private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
            throws Exception {
        if (!(failure instanceof CannotStart)) {
            throw failure;
        }
        say(command, failure.getMessage());
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static void say(CommandLine command, @Nullable String message) {
        PrintWriter err = command.getErr();
        err.println(command.getColorScheme().errorText("holdfast: " + Secrets.masked(String.valueOf(message))));
        err.flush();
    }

    /** The version of the jar, and what it runs on. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Holdfast.class.getPackage().getImplementationVersion();
            return new String[] {
                "holdfast " + (version == null ? "(not from a jar)" : version),
                "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
            };
        }
    }
}
