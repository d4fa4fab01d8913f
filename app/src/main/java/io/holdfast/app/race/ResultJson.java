package io.holdfast.app.race;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/** A {@link Result} for programs. */
final class ResultJson {
    private ResultJson() {}

    static String of(Result result) throws JsonProcessingException {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("store", result.store());
        json.put("contenders", result.contenders());
        json.put("rounds", result.rounds());
        json.put("millis", result.took().toMillis());
        json.put("claimKeptItsPromise", result.kept());
        result.tallies().forEach(tally -> json.withArray("/races").add(race(tally)));
        return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json);
    }

    private static ObjectNode race(Tally tally) {
        ObjectNode race = Json.MAPPER.createObjectNode();
        race.put("strategy", tally.cell().strategy().label());
        race.put("effect", tally.cell().scenario().port.effect);
        race.put("scenario", tally.cell().scenario().label());
        race.put("spreadMillis", tally.cell().spreadMillis());
        race.put("rounds", tally.rounds());
        ObjectNode effects = race.putObject("effects");
        effects.put("least", tally.least());
        effects.put("most", tally.most());
        ObjectNode rounds = effects.putObject("rounds");
        tally.roundsByEffects().forEach((number, count) -> rounds.put(String.valueOf(number), count));
        ObjectNode losers = race.putObject("losers");
        losers.put("true", tally.truths());
        losers.put("untrue", tally.untruthsInAll());
        for (Untruth untruth : Untruth.values()) {
            String name = untruth.name().toLowerCase(Locale.ROOT).replace('_', '-');
            losers.put(name, tally.untruths().getOrDefault(untruth, 0));
        }
        texts(race.putArray("errors"), tally.errors());
        texts(race.putArray("violations"), tally.violations());
        return race;
    }

    private static void texts(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }
}
