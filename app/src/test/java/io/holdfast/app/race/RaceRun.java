package io.holdfast.app.race;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.StreamSupport;
import picocli.CommandLine;

/** One run of the command in this process, and what came of it. */
record RaceRun(int code, String out, String err) {
    static RaceRun of(String... options) {
        return of(Contender.class, options);
    }

    /** With contenders of another kind. */
    static RaceRun of(Class<?> contender, String... options) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = RaceCommand.commandLine(contender);
        int code = command.setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options);
        return new RaceRun(code, out.toString(), err.toString());
    }

    /** What {@code --json -} printed. */
    JsonNode json() {
        try {
            return Json.MAPPER.readTree(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The races that fit; at least one. */
    List<JsonNode> races(String strategy, String scenario, int spread) {
        List<JsonNode> races = StreamSupport.stream(json().get("races").spliterator(), false)
                .filter(race -> race.get("strategy").asText().equals(strategy))
                .filter(race ->
                        scenario.equals("all") || race.get("scenario").asText().equals(scenario))
                .filter(race -> spread < 0 || race.get("spreadMillis").asInt() == spread)
                .toList();
        assertThat(races).as(out + err).isNotEmpty();
        return races;
    }

    JsonNode race(String strategy, String scenario, int spread) {
        List<JsonNode> races = races(strategy, scenario, spread);
        assertThat(races).hasSize(1);
        return races.get(0);
    }

    int least(String strategy, String scenario, int spread) {
        return race(strategy, scenario, spread).at("/effects/least").asInt();
    }

    int most(String strategy, String scenario, int spread) {
        return race(strategy, scenario, spread).at("/effects/most").asInt();
    }
}
