package io.holdfast.mongo;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What the adapter sends, by name: by the one that the classes of statements have for it, else by what it asks for. */
final class MongoSent {
    private static final String OURS = "holdfast_";

    private static final Map<BsonValue, String> NAMES = names(
            MongoStatements.class,
            MongoLeaseStatements.class,
            MongoSaveStatements.class,
            MongoRefreshStatements.class,
            MongoSanctionStatements.class);

    private MongoSent() {}

    private static Map<BsonValue, String> names(Class<?>... classes) {
        Map<BsonValue, String> names = new HashMap<>();
        for (Class<?> each : classes) {
            for (Field field : each.getDeclaredFields()) {
                try {
                    Object value = field.get(null);
                    if (value instanceof List<?> stages) {
                        names.put(
                                new BsonArray(stages.stream()
                                        .map(BsonDocument.class::cast)
                                        .toList()),
                                field.getName());
                    } else if (value instanceof BsonDocument document) {
                        names.put(document, field.getName());
                    }
                } catch (IllegalAccessException e) {
                    // private: a part of others, and never sent by itself
                }
            }
        }
        return names;
    }

    /** The name of a command's statement, such as "lease.TAKE"; "" if it is none of the adapter's. */
    static String statement(BsonDocument command) {
        String verb = command.getFirstKey();
        if (!command.isString(verb) || !command.getString(verb).getValue().startsWith(OURS)) {
            return "";
        }
        String collection = command.getString(verb).getValue().substring(OURS.length());
        String what = switch (verb) {
            case "findAndModify" -> NAMES.get(command.get("update"));
            case "update" -> NAMES.get(only(command, "updates").get("u"));
            case "delete" -> deletion(only(command, "deletes").getDocument("q"));
            case "find" ->
                ("find(" + keys(command.getDocument("filter", new BsonDocument())) + ") "
                                + answer(command.getDocument("projection", new BsonDocument()))
                                + (isConfirmed(command) ? " confirmed" : ""))
                        .replace(")  ", ") ")
                        .strip();
            case "aggregate" -> "aggregate";
            case "insert" -> "insert";
            default -> null;
        };
        return what == null ? "" : collection.replace("app", "publish") + "." + what;
    }

    static String keys(BsonDocument filter) {
        return filter.entrySet().stream()
                .map(each -> each.getValue().isDocument()
                        ? each.getKey() + " " + each.getValue().asDocument().getFirstKey()
                        : each.getKey())
                .collect(Collectors.joining(","));
    }

    /** To delete all is a test's own way. */
    private static @Nullable String deletion(BsonDocument which) {
        return which.isEmpty() ? null : "delete(" + keys(which) + ")";
    }

    private static String answer(BsonDocument projection) {
        return NAMES.getOrDefault(
                projection, projection.containsKey("now") ? "newest" : String.join(",", projection.keySet()));
    }

    private static boolean isConfirmed(BsonDocument find) {
        return find.getDocument("readConcern", new BsonDocument()).containsValue(new BsonString("linearizable"));
    }

    private static BsonDocument only(BsonDocument command, String field) {
        return command.getArray(field).get(0).asDocument();
    }
}
