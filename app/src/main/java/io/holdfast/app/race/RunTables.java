package io.holdfast.app.race;

import com.mongodb.client.MongoDatabase;
import io.holdfast.app.Backend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The tables of the runs in one database. Each run has a prefix of its own, {@code holdfast_race_<when>_<any>_}, by which it
 * finds its own tables again, and those of a run that was killed. Thread-safe.
 */
final class RunTables {
    private static final String COMMON = "holdfast_race_";
    private static final Pattern NAME = Pattern.compile("(" + COMMON + "([0-9a-z]{6,7})_[0-9a-z]{4}_).+");
    private static final int BASE = 36;

    private final Backend backend;

    RunTables(Backend backend) {
        this.backend = backend;
    }

    /** A prefix for a run that begins now. */
    static String newPrefix() {
        int any = ThreadLocalRandom.current().nextInt(BASE * BASE * BASE, BASE * BASE * BASE * BASE);
        return COMMON + Long.toString(Instant.now().getEpochSecond(), BASE) + "_" + Integer.toString(any, BASE) + "_";
    }

    /** The prefixes of other runs, each with the time since it began. */
    Map<String, Duration> others(String mine) {
        Map<String, Duration> others = new TreeMap<>();
        for (String name : names(COMMON)) {
            Matcher matcher = NAME.matcher(name);
            if (matcher.matches() && !matcher.group(1).equals(mine)) {
                Instant began = Instant.ofEpochSecond(Long.parseLong(matcher.group(2), BASE));
                others.put(matcher.group(1), Duration.between(began, Instant.now()));
            }
        }
        return others;
    }

    /** Drops all tables of one run. */
    void drop(String prefix) {
        List<String> names = names(prefix);
        backend.on(sql -> drop(sql, names), mongo -> drop(mongo, names));
    }

    /** The tables whose name begins so. */
    List<String> names(String prefix) {
        return backend.on(sql -> names(sql, prefix), mongo -> names(mongo, prefix));
    }

    private static List<String> names(DataSource connections, String prefix) {
        // The same schema that a bare table name means, on both engines.
        String sql = """
                select table_name from information_schema.tables
                where table_schema in (select %s) and table_name like ? escape '!'""";
        try (Connection connection = connections.getConnection()) {
            boolean mysql = connection.getMetaData().getDatabaseProductName().equals("MySQL");
            try (PreparedStatement statement =
                    connection.prepareStatement(sql.formatted(mysql ? "database()" : "current_schema()"))) {
                statement.setString(1, prefix.replace("_", "!_") + "%");
                try (ResultSet rows = statement.executeQuery()) {
                    List<String> names = new ArrayList<>();
                    while (rows.next()) {
                        names.add(rows.getString(1));
                    }
                    return names;
                }
            }
        } catch (SQLException e) {
            throw new StoreFailed(e);
        }
    }

    private static List<String> names(MongoDatabase database, String prefix) {
        return database.listCollectionNames().into(new ArrayList<>()).stream()
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    private static boolean drop(DataSource connections, List<String> names) {
        if (names.isEmpty()) {
            return false;
        }
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            // In one statement, because some may refer to others. Names of ours need no quotes.
            return statement.execute(
                    "drop table if exists " + names.stream().collect(Collectors.joining(", ")) + " cascade");
        } catch (SQLException e) {
            throw new StoreFailed(e);
        }
    }

    private static boolean drop(MongoDatabase database, List<String> names) {
        names.forEach(name -> database.getCollection(name).drop());
        return true;
    }
}
