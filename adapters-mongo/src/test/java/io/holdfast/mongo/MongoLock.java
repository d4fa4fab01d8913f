package io.holdfast.mongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.holdfast.contract.Engine.Lock;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** How a stranger locks a document. */
final class MongoLock {
    private MongoLock() {}

    static Lock of(MongoServer server, String collection, String id) {
        return of(server, collection, new BsonString(id));
    }

    static Lock of(MongoServer server, String collection, BsonValue id) {
        return server.isMongo() ? inTransaction(server, collection, id) : behindFerret(server, collection, id);
    }

    private static Lock inTransaction(MongoServer server, String collection, BsonValue id) {
        MongoClient client = server.client(settings -> settings);
        ClientSession session = client.startSession();
        session.startTransaction();
        client.getDatabase(server.name())
                .getCollection(collection)
                .updateOne(session, Filters.eq(id), Updates.set("locked", true));
        return () -> {
            session.abortTransaction();
            session.close();
        };
    }

    /** FerretDB has no transactions, but the PostgreSQL that it keeps its documents in has; it is in the same container. */
    private static Lock behindFerret(MongoServer server, String collection, BsonValue id) {
        try {
            String container = container(server.port());
            Process psql = new ProcessBuilder(
                            "docker",
                            "exec",
                            "-i",
                            container,
                            "psql",
                            "-h",
                            "/run/postgresql",
                            "-U",
                            "postgres",
                            "-qAt")
                    .redirectErrorStream(true)
                    .start();
            BufferedWriter in = psql.outputWriter();
            String table = answer(psql, in, """
                    SELECT 'documentdb_data.documents_' || collection_id FROM documentdb_api_catalog.collections
                     WHERE database_name = '%s' AND collection_name = '%s';
                    """.formatted(server.name(), collection));
            String locked = answer(psql, in, """
                    BEGIN;
                    SELECT count(*) FROM (SELECT FROM %s
                     WHERE documentdb_core.bson_get_value_text(document, '_id') = '%s' FOR UPDATE) AS locked;
                    """.formatted(table, inPostgres(id)));
            if (!locked.equals("1")) {
                throw new IllegalStateException("rows locked: " + locked);
            }
            return () -> end(psql, in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Docker gives the same port number to one container in IPv4 and to another in IPv6; the tests connect by the former. */
    private static String container(int port) throws IOException {
        try (BufferedReader containers = new ProcessBuilder("docker", "ps", "--format", "{{.ID}} {{.Ports}}")
                .start()
                .inputReader()) {
            return containers
                    .lines()
                    .filter(line -> line.matches(".*\\d:" + port + "->.*"))
                    .map(line -> line.substring(0, line.indexOf(' ')))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "a document of FerretDB is locked in its PostgreSQL, and no container publishes port "
                                    + port + ": run FerretDB in Docker on this machine"));
        }
    }

    /** As FerretDB's PostgreSQL writes it. */
    private static String inPostgres(BsonValue id) {
        return id.isString()
                ? id.asString().getValue()
                : "{ \"$binary\" : { \"base64\" : \"%s\", \"subType\" : \"%02x\" } }"
                        .formatted(
                                Base64.getEncoder().encodeToString(id.asBinary().getData()),
                                id.asBinary().getType());
    }

    private static String answer(Process psql, BufferedWriter in, String sql) throws IOException {
        in.write(sql);
        in.flush();
        return psql.inputReader().readLine();
    }

    private static void end(Process psql, BufferedWriter in) {
        try {
            in.write("ROLLBACK;\n");
            in.close();
            psql.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
