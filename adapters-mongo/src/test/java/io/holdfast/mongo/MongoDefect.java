package io.holdfast.mongo;

import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/**
 * A way to spoil the schema.
 *
 * @param commands what spoils it, in the database's own words; {@code APP} is the collection, which is thrown away
 * @param said what must be in the message of {@code check()}
 */
record MongoDefect(String name, List<String> commands, List<String> said) {
    private static final String DROP_SLUG = "{ dropIndexes: 'APP', index: 'slug' }";
    private static final String DROP_IDS = "{ dropIndexes: 'APP', index: 'ids' }";
    private static final List<String> NO_SLUG =
            List.of("no unique index over the documents that have slug", "createIndex({ slug: 1 }");
    private static final List<String> NO_IDS =
            List.of("no unique index over the documents that have ids", "createIndex({ ids: 1 }");

    static List<MongoDefect> all(MongoServer server) {
        List<MongoDefect> all = new ArrayList<>(List.of(
                new MongoDefect("no collection", List.of("{ drop: 'APP' }"), List.of("is missing", "Run migrate()")),
                new MongoDefect(
                        "no collection of families",
                        List.of("{ drop: 'REFRESH' }"),
                        List.of("refresh is missing", "Run migrate()")),
                new MongoDefect(
                        "no collection of leases",
                        List.of("{ drop: 'LEASE' }"),
                        List.of("lease is missing", "Run migrate()")),
                new MongoDefect(
                        "a holder has one lease: a unique index",
                        List.of(
                                "{ createIndexes: 'LEASE', indexes: [{ key: { holder: 1 }, name: 'one_each', unique: true }] }"),
                        List.of("lease has another unique index", "dropIndex('one_each')")),
                new MongoDefect("slugs are not unique: no index", List.of(DROP_SLUG), NO_SLUG),
                new MongoDefect("slugs are not unique: an index that is not", List.of(DROP_SLUG, """
                        { createIndexes: 'APP', indexes: [{ key: { slug: 1 }, name: 'slug',
                          partialFilterExpression: { slug: { $exists: true } } }] }"""), NO_SLUG),
                new MongoDefect(
                        "free apps share one slug: the index has no predicate", List.of(DROP_SLUG, """
                        { createIndexes: 'APP', indexes: [{ key: { slug: 1 }, name: 'slug', unique: true }] }"""), NO_SLUG),
                new MongoDefect("live apps alone have a slug: another predicate", List.of(DROP_SLUG, """
                        { createIndexes: 'APP', indexes: [{ key: { slug: 1 }, name: 'slug', unique: true,
                          partialFilterExpression: { building: true } }] }"""), NO_SLUG),
                new MongoDefect("a slug per holder: one field too many", List.of(DROP_SLUG, """
                        { createIndexes: 'APP', indexes: [{ key: { slug: 1, holder: 1 }, name: 'slug', unique: true,
                          partialFilterExpression: { slug: { $exists: true } } }] }"""), NO_SLUG),
                new MongoDefect("an attempt may be two apps': no index", List.of(DROP_IDS), NO_IDS),
                new MongoDefect(
                        "an attempt may be two apps': an index on another field", List.of(DROP_IDS, """
                        { createIndexes: 'APP', indexes: [{ key: { attempt: 1 }, name: 'ids', unique: true,
                          partialFilterExpression: { ids: { $exists: true } } }] }"""), NO_IDS),
                new MongoDefect(
                        "an id may be two accounts': no index",
                        List.of("{ dropIndexes: 'SANCTION', index: 'ids' }"),
                        NO_IDS),
                new MongoDefect(
                        "a holder publishes one app: another unique index",
                        List.of("""
                        { createIndexes: 'APP', indexes: [{ key: { holder: 1 }, name: 'one_each', unique: true }] }"""),
                        List.of("has another unique index", "dropIndex('one_each')"))));
        // FerretDB makes a plain collection of each of these and says nothing.
        if (server.isMongo()) {
            all.add(new MongoDefect(
                    "'App' is 'app'",
                    List.of("{ drop: 'APP' }", "{ create: 'APP', collation: { locale: 'en', strength: 2 } }"),
                    List.of("has a collation", "renameCollection")));
            all.add(new MongoDefect(
                    "old documents vanish",
                    List.of("{ drop: 'APP' }", "{ create: 'APP', capped: true, size: 4096 }"),
                    List.of("capped", "run migrate()")));
        }
        return all;
    }

    /** Spoils a collection of this prefix, and returns the stores on it. */
    MongoStores spoil(MongoDatabase database, String prefix) {
        MongoStores stores = MongoStores.of(database).tables(prefix);
        stores.migrate();
        for (String command : commands) {
            database.runCommand(Document.parse(command.replace("APP", prefix + "app")
                    .replace("LEASE", prefix + "lease")
                    .replace("REFRESH", prefix + "refresh")
                    .replace("SANCTION", prefix + "sanction")));
        }
        return stores;
    }
}
