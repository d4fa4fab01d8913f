package io.holdfast.mysql;

import static io.holdfast.contract.mutation.SqlMutants.replacing;

import io.holdfast.contract.LeaseContract;
import io.holdfast.contract.LeaseSubject;
import io.holdfast.contract.PublishContract;
import io.holdfast.contract.PublishSubject;
import io.holdfast.contract.RefreshContract;
import io.holdfast.contract.RefreshSubject;
import io.holdfast.contract.mutation.Attack;
import io.holdfast.contract.mutation.Mutant;
import io.holdfast.contract.mutation.MutationContract;
import io.holdfast.contract.mutation.Wire;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What others got wrong, and reported, put back into our statements one at a time. */
final class MysqlOldMistakesTest implements MutationContract<String> {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    private static final String NOW = "TIMESTAMPDIFF\\(MICROSECOND, '1970-01-01', UTC_TIMESTAMP\\(6\\)\\)";

    private static final String TAKE = new MysqlLeaseStatements("holdfast_").take;

    /** The same parameters in the same order. */
    private static final String BY_THE_TAKERS_LIMIT = MysqlStatements.statement("holdfast_", """
            UPDATE (SELECT ? AS attempt, ? AS holder, ? AS silence_limit) AS asked
            STRAIGHT_JOIN holdfast_lease l
               SET l.fence = LAST_INSERT_ID(GREATEST(l.fence + 1, {now})),
                   l.attempt = asked.attempt, l.held = TRUE, l.holder = asked.holder, l.since = {now}, l.beat = {now},
                   l.silence_limit = asked.silence_limit, l.free_at = {now} + asked.silence_limit
             WHERE l.name = ? AND (l.free_at = 0 OR l.beat + asked.silence_limit <= {now})
               AND NOT (l.attempt <=> ?)
               AND (TRUE OR ? = ?)""");

    private static MysqlSubject subject;

    @BeforeAll
    static void open() {
        MysqlServer.WIRE.open();
        subject = new MysqlSubject(SERVER.pool());
    }

    @AfterAll
    static void close() throws SQLException {
        MysqlServer.WIRE.close();
        MysqlServer.dropKept();
    }

    @Override
    public String engine() {
        return SERVER.engine();
    }

    @Override
    public Wire<String> wire() {
        return MysqlServer.WIRE;
    }

    @Override
    public void wipe() {
        subject.wipe();
    }

    @Override
    public String table() {
        return "mistakes.txt";
    }

    @Override
    public List<Class<?>> suites() {
        return List.of(Publish.class, Lease.class, Refresh.class, MysqlGuardTest.class);
    }

    static final class Publish implements PublishContract {
        @Override
        public PublishSubject subject() {
            return subject;
        }
    }

    static final class Lease implements LeaseContract {
        @Override
        public LeaseSubject subject() {
            return subject;
        }
    }

    static final class Refresh implements RefreshContract {
        @Override
        public RefreshSubject subject() {
            return subject;
        }
    }

    @Override
    public List<Attack<String>> attacks() {
        return List.of(new Attack<>("G1 G6 G7 C6 C8 L1 L2 R2", "old mistakes of others, put back", mistakes()));
    }

    /** What has a parameter stays in the text, and says nothing. */
    private static List<Mutant<String>> mistakes() {
        return List.of(
                // github.com/oban-bg/oban/issues/1496
                anywhere(
                        "an ending names the app alone",
                        "(WHERE a\\.app = \\? AND )(a\\.attempt = \\? AND a\\.fence = \\? AND a\\.building)",
                        "$1(TRUE OR $2)"),
                // github.com/riverqueue/river/issues/197
                anywhere(
                        "a renewal compares what it was given with itself",
                        "b\\.attempt = UNHEX\\(held\\.attempt\\) AND b\\.fence = held\\.fence AND b\\.building",
                        "held.attempt = held.attempt AND held.fence = held.fence AND b.building"),
                // github.com/lukas-krecan/ShedLock/issues/74
                anywhere(
                        "a late release frees the successor's lease",
                        "(WHERE name = \\? AND )(attempt = \\? AND fence = \\?)( AND held)",
                        "$1(TRUE OR $2)$3"),
                // github.com/quartz-scheduler/quartz/issues/107
                anywhere("it was free when it was read", "(WHERE app = \\?)\\s+AND free_at <= " + NOW, "$1"),
                // github.com/aws-powertools/powertools-lambda-python/issues/1038
                anywhere(
                        "in progress has no end of its own",
                        "free_at <= " + NOW + "(\\s+AND \\((?:a\\.)?live IS NULL)",
                        "free_at = 0$1"),
                // github.com/kubernetes/kubernetes/issues/47671
                new Mutant<>("the taker's own limit decides", sent -> sent.equals(TAKE) ? BY_THE_TAKERS_LIMIT : sent),
                // github.com/nightscout/nocturne/pull/326
                anywhere(
                        "the second of two tabs is a thief",
                        "(\\? = generation - 1 AND )" + NOW + " < born \\+ grace",
                        "$1FALSE"));
    }

    private static Mutant<String> anywhere(String name, String pattern, String by) {
        return replacing(name, "", pattern, by);
    }
}
