package io.holdfast.mongo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The mutants of a command: the same command with one condition left out, turned to always or never, or moved by its bound; one
 * assignment, one term of a sum or one value of a maximum left out; one time taken from a client's clock; one value not quoted;
 * or one concern weakened. Each has a name that says where and what, the same for the same statement in every run.
 */
final class MongoMutants {
    static final String BARE = "not quoted";

    private static final BsonDocument NOW = MongoStatements.document("{now}");

    /** Hosts' clocks are not the database's, and no two agree: each that is asked is an hour behind the one before. */
    private static final AtomicLong HOURS_BEHIND = new AtomicLong();

    private static final Map<String, String> NEIGHBOURS =
            Map.of("$lt", "$lte", "$lte", "$lt", "$gt", "$gte", "$gte", "$gt");
    private static final Set<String> CONDITIONS =
            Set.of("$and", "$or", "$not", "$eq", "$ne", "$in", "$lt", "$lte", "$gt", "$gte");

    private final String statement;
    private final Map<String, Supplier<BsonDocument>> all = new LinkedHashMap<>();

    private MongoMutants(String statement) {
        this.statement = statement;
    }

    /** By their names. */
    static Map<String, Supplier<BsonDocument>> of(BsonDocument command) {
        MongoMutants mutants = new MongoMutants(MongoSent.statement(command));
        mutants.command(command);
        return mutants.all;
    }

    private void mutant(String where, String change, Supplier<BsonDocument> changed) {
        String name = (statement + ": " + where + " " + change).replaceAll("  +", " ");
        if (all.put(name, changed) != null) {
            throw new IllegalStateException("two mutants have one name: " + name);
        }
    }

    // Commands.

    private void command(BsonDocument command) {
        command.forEach((field, value) -> {
            if (field.equals(command.getFirstKey())) {
                return; // the verb, which may be "update"
            }
            Place there = Place.in(command, field);
            switch (field) {
                case "query", "filter" -> filter("", value.asDocument(), there);
                case "updates", "deletes" -> change(value.asArray().get(0).asDocument(), there.at(value.asArray(), 0));
                case "update", "pipeline" -> stages(value.asArray(), there);
                case "fields", "projection" -> fields("answer ", value.asDocument(), there);
                case "let" -> bound(value.asDocument(), there);
                case "new" -> mutant("", "answers with what was before", () -> there.put(BsonBoolean.FALSE));
                case "readConcern" -> concern(value.asDocument(), there);
                case "writeConcern" -> {
                    mutant("", "acknowledged by one", () -> there.put(with(value, "w", new BsonInt32(1))));
                    mutant("", "not in the journal", () -> there.put(with(value, "j", BsonBoolean.FALSE)));
                }
                default -> {
                    // how the driver talks to the server
                }
            }
        });
    }

    /** One change of one kind of documents, or one deletion. */
    private void change(BsonDocument change, Place there) {
        filter("", change.getDocument("q"), there.to(change, "q"));
        if (change.isArray("u")) {
            stages(change.getArray("u"), there.to(change, "u"));
        }
        if (change.getBoolean("multi", BsonBoolean.FALSE).getValue()) {
            mutant("", "one only", () -> there.put(with(change, "multi", BsonBoolean.FALSE)));
        }
        if (change.getNumber("limit", new BsonInt32(1)).intValue() == 0) {
            mutant("", "one only", () -> there.put(with(change, "limit", new BsonInt32(1))));
        }
    }

    private void concern(BsonDocument concern, Place there) {
        String level = concern.getString("level").getValue();
        String weaker = level.equals("linearizable") ? "majority" : "local";
        mutant("", level + " read is " + weaker, () -> there.put(with(concern, "level", new BsonString(weaker))));
    }

    private void bound(BsonDocument let, Place there) {
        let.forEach((name, value) -> {
            BsonValue bare = value.asDocument().get("$literal");
            // Nothing else can look like an expression.
            if (bare.isString()) {
                mutant("$$" + name, BARE, () -> there.put(with(let, name, bare)));
            }
        });
    }

    // Filters and stages.

    private void filter(String where, BsonDocument filter, Place there) {
        filter.forEach((field, value) -> {
            Place inner = there.to(filter, field);
            mutant(where + "where " + field, "removed", () -> there.put(without(filter, field)));
            if (field.equals("$or")) {
                branches(where + "where $or", value.asArray(), inner);
            } else if (field.equals("$expr")) {
                expression(where + "where $expr", value, inner);
            } else if (value.isDocument()) {
                neighbour(where + "where " + field, "", value.asDocument(), inner);
            }
        });
    }

    private void branches(String where, BsonArray filters, Place there) {
        for (int i = 0; i < filters.size(); i++) {
            int at = i;
            mutant(
                    where,
                    "without " + MongoSent.keys(filters.get(i).asDocument()),
                    () -> there.put(without(filters, at)));
        }
    }

    private void stages(BsonArray stages, Place there) {
        for (int i = 0; i < stages.size(); i++) {
            BsonDocument stage = stages.get(i).asDocument();
            String verb = stage.getFirstKey();
            Place inner = there.at(stages, i).to(stage, verb);
            int at = i;
            switch (verb) {
                case "$set" -> assignments(stage.getDocument(verb), inner, taken(stages));
                case "$match" -> filter("", stage.getDocument(verb), inner);
                case "$project" -> fields("", stage.getDocument(verb), inner);
                case "$limit", "$sort" -> mutant(verb, "removed", () -> there.put(without(stages, at)));
                default -> {
                    // takes away what earlier stages made for later ones
                }
            }
        }
    }

    /** What earlier stages make for later ones alone: the names, as a text. */
    private static String taken(BsonArray stages) {
        BsonDocument last = stages.get(stages.size() - 1).asDocument();
        return text(last.get("$unset", new BsonString("")));
    }

    private void assignments(BsonDocument set, Place there, String helpers) {
        set.forEach((field, value) -> {
            // Of a condition, that it never holds is the same.
            boolean isCondition = value.isDocument() && value.asDocument().containsKey("$cond");
            if (!isCondition && !List.of(helpers.split(", ")).contains(field)) {
                mutant(field, "not set", () -> there.put(without(set, field)));
            }
            turned(field, value, there.to(set, field));
            expression(field, value, there.to(set, field));
        });
    }

    private void fields(String where, BsonDocument projection, Place there) {
        projection.forEach((field, value) -> {
            turned(where + field, value, there.to(projection, field));
            expression(where + field, value, there.to(projection, field));
        });
    }

    // Expressions.

    private void expression(String where, BsonValue value, Place there) {
        if (value.equals(NOW)) {
            mutant(where, "now by a client's clock", () -> there.put(clientsNow()));
        } else if (value.isArray()) {
            each(where, value.asArray(), there);
        } else if (value.isDocument() && !value.asDocument().containsKey("$literal")) {
            BsonDocument document = value.asDocument();
            neighbour(where, text(document), document, there);
            document.forEach((operator, arguments) ->
                    operation(where + "." + operator, operator, arguments, there, there.to(document, operator)));
        }
    }

    private void each(String where, BsonArray array, Place there) {
        for (int i = 0; i < array.size(); i++) {
            expression(where + "[" + i + "]", array.get(i), there.at(array, i));
        }
    }

    /**
     * @param there where the whole of it is
     * @param inner where its arguments are
     */
    private void operation(String where, String operator, BsonValue arguments, Place there, Place inner) {
        switch (operator) {
            case "$and", "$or" -> removed(where, arguments.asArray(), inner);
            case "$cond" -> {
                mutant(where, "always", () -> there.put(arguments.asArray().get(1)));
                mutant(where, "never", () -> there.put(arguments.asArray().get(2)));
                each(where, arguments.asArray(), inner);
            }
            case "$switch" -> cases(where, arguments.asDocument(), inner);
            case "$max", "$min", "$concatArrays" -> {
                BsonArray values = arguments.asArray();
                for (int i = 0; i < values.size(); i++) {
                    BsonValue one = values.get(i);
                    mutant(where, "only [" + i + "]", () -> there.put(one));
                }
                each(where, values, inner);
            }
            case "$add", "$subtract", "$multiply", "$slice" -> {
                // In a projection $slice has one argument, and the whole is the field itself.
                if (arguments.isArray()) {
                    mutant(
                            where,
                            "only [0]",
                            () -> there.put(arguments.asArray().get(0)));
                    each(where, arguments.asArray(), inner);
                }
            }
            case "$filter" -> {
                BsonDocument filter = arguments.asDocument();
                turned(where + ".cond", filter.get("cond"), inner.to(filter, "cond"));
                expression(where + ".cond", filter.get("cond"), inner.to(filter, "cond"));
                expression(where + ".input", filter.get("input"), inner.to(filter, "input"));
            }
            case "$in" -> {
                compared(where, arguments.asArray(), inner);
                each(where, arguments.asArray(), inner);
            }
            case "$mergeObjects" -> {
                BsonDocument changes = arguments.asArray().get(1).asDocument();
                changes.forEach((field, value) -> mutant(
                        where + "." + field,
                        "not set",
                        () -> inner.at(arguments.asArray(), 1).put(without(changes, field))));
                each(where, arguments.asArray(), inner);
            }
            default -> expression(where, arguments, inner);
        }
    }

    /** What is looked for among others, by all of its fields: by one less. */
    private void compared(String where, BsonArray arguments, Place there) {
        if (!arguments.get(0).isDocument()
                || arguments.get(0).asDocument().getFirstKey().startsWith("$")) {
            return;
        }
        BsonDocument one = arguments.get(0).asDocument();
        one.keySet().forEach(field -> {
            BsonDocument less = without(one, field);
            BsonDocument others = new BsonDocument();
            less.keySet().forEach(kept -> others.append(kept, new BsonString("$$other." + kept)));
            BsonDocument map = new BsonDocument("input", arguments.get(1))
                    .append("as", new BsonString("other"))
                    .append("in", others);
            mutant(
                    where,
                    field + " not compared",
                    () -> there.put(new BsonArray(List.of(less, new BsonDocument("$map", map)))));
        });
    }

    private void cases(String where, BsonDocument choice, Place there) {
        BsonArray branches = choice.getArray("branches");
        Place inner = there.to(choice, "branches");
        for (int i = 0; i < branches.size(); i++) {
            BsonDocument branch = branches.get(i).asDocument();
            String which = where + "[" + i + "]";
            int at = i;
            mutant(which, text(branch.get("case")) + " removed", () -> inner.put(without(branches, at)));
            Place condition = inner.at(branches, i).to(branch, "case");
            mutant(which, text(branch.get("case")) + " always", () -> condition.put(BsonBoolean.TRUE));
            expression(which, branch.get("case"), condition);
        }
    }

    /** A condition that is no $cond's. */
    private void turned(String where, BsonValue value, Place there) {
        if (value.isDocument() && CONDITIONS.contains(value.asDocument().getFirstKey())) {
            mutant(where, "always", () -> there.put(literal(BsonBoolean.TRUE)));
            mutant(where, "never", () -> there.put(literal(BsonBoolean.FALSE)));
        }
    }

    /** In a projection, the value alone would say whether the field is shown. */
    private static BsonDocument literal(BsonValue value) {
        return new BsonDocument("$literal", value);
    }

    private void removed(String where, BsonArray conditions, Place there) {
        for (int i = 0; i < conditions.size(); i++) {
            int at = i;
            mutant(where, "without " + text(conditions.get(i)), () -> there.put(without(conditions, at)));
        }
        each(where, conditions, there);
    }

    private void neighbour(String where, String text, BsonDocument comparison, Place there) {
        String operator = comparison.isEmpty() ? "" : comparison.getFirstKey();
        String neighbour = NEIGHBOURS.get(operator);
        if (neighbour != null) {
            mutant(
                    where,
                    text + " is " + neighbour,
                    () -> there.put(new BsonDocument(neighbour, comparison.get(operator))));
        }
    }

    private static BsonValue clientsNow() {
        long behind = Duration.ofHours(HOURS_BEHIND.incrementAndGet()).toMillis();
        return new BsonInt64((System.currentTimeMillis() - behind) * 1_000);
    }

    // Values.

    /** In short. */
    private static String text(BsonValue value) {
        if (value.equals(NOW)) {
            return "now";
        }
        if (value.isArray()) {
            return value.asArray().stream().map(MongoMutants::text).collect(Collectors.joining(", "));
        }
        if (value.isDocument()) {
            return value.asDocument().entrySet().stream()
                    .map(each -> each.getKey() + "(" + text(each.getValue()) + ")")
                    .collect(Collectors.joining(" "));
        }
        return value.isString()
                ? value.asString().getValue()
                : value.isNumber() ? Long.toString(value.asNumber().longValue()) : value.isNull() ? "null" : "?";
    }

    private static BsonDocument with(BsonValue document, String field, BsonValue value) {
        BsonDocument copy = new BsonDocument();
        copy.putAll(document.asDocument());
        return copy.append(field, value);
    }

    private static BsonDocument without(BsonDocument document, String field) {
        BsonDocument copy = new BsonDocument();
        copy.putAll(document);
        copy.remove(field);
        return copy;
    }

    private static BsonArray without(BsonArray array, int index) {
        List<BsonValue> copy = new ArrayList<>(array);
        copy.remove(index);
        return new BsonArray(copy);
    }

    /** Where something is in a command: puts something else there, in a copy. */
    private record Place(Function<BsonValue, BsonDocument> with) {
        static Place in(BsonDocument command, String field) {
            return new Place(value -> MongoMutants.with(command, field, value));
        }

        BsonDocument put(BsonValue value) {
            return with.apply(value);
        }

        Place to(BsonDocument here, String field) {
            return new Place(value -> put(MongoMutants.with(here, field, value)));
        }

        Place at(BsonArray here, int index) {
            return new Place(value -> {
                List<BsonValue> copy = new ArrayList<>(here);
                copy.set(index, value);
                return put(new BsonArray(copy));
            });
        }
    }
}
