package io.holdfast.postgres;

import static io.holdfast.contract.mutation.SqlMutants.replacing;

import io.holdfast.contract.LeaseContract;
import io.holdfast.contract.LeaseSubject;
import io.holdfast.contract.PublishContract;
import io.holdfast.contract.PublishSubject;
import io.holdfast.contract.RefreshContract;
import io.holdfast.contract.RefreshSubject;
import io.holdfast.contract.mutation.Attack;
import io.holdfast.contract.mutation.JdbcWire;
import io.holdfast.contract.mutation.Mutant;
import io.holdfast.contract.mutation.MutationContract;
import io.holdfast.contract.mutation.Wire;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What others got wrong, and reported, put back into our statements one at a time. */
final class PostgresOldMistakesTest implements MutationContract<String> {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static final Wire<String> WIRE = new Wire<>();

    private static final String NOW = "(\\(extract\\(epoch FROM clock_timestamp\\(\\)\\) \\* 1000000\\)::bigint)";

    private static PostgresSubject subject;

    @BeforeAll
    static void open() {
        // Class 42: what the server cannot read.
        subject = new PostgresSubject(JdbcWire.to(
                SERVER.url(), WIRE, e -> String.valueOf(e.getSQLState()).startsWith("42")));
    }

    @Override
    public String engine() {
        return SERVER.engine();
    }

    @Override
    public String table() {
        return "mistakes.txt";
    }

    @Override
    public Wire<String> wire() {
        return WIRE;
    }

    @Override
    public void wipe() {
        subject.wipe();
    }

    @Override
    public List<Class<?>> suites() {
        return List.of(Publish.class, Lease.class, Refresh.class);
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

    private static List<Mutant<String>> mistakes() {
        return List.of(
                // github.com/oban-bg/oban/issues/1496
                anywhere(
                        "an ending names the app alone",
                        "(WHERE a\\.app = asked\\.app) AND a\\.attempt = asked\\.attempt AND a\\.fence = asked\\.fence"
                                + " AND a\\.building(\\s+RETURNING a\\.attempt\\s)",
                        "$1$2"),
                // github.com/riverqueue/river/issues/197
                anywhere(
                        "a renewal compares what it was given with itself",
                        "ON a\\.app = asked\\.app AND a\\.attempt = asked\\.attempt AND a\\.fence = asked\\.fence(\\s+WHERE)",
                        "ON a.app = asked.app AND asked.attempt = asked.attempt AND asked.fence = asked.fence$1"),
                // github.com/lukas-krecan/ShedLock/issues/74
                anywhere(
                        "a late release frees the successor's lease",
                        "AND l\\.attempt = asked\\.attempt AND l\\.fence = asked\\.fence AND l\\.held(\\s+RETURNING true)",
                        "AND l.held$1"),
                // github.com/quartz-scheduler/quartz/issues/107
                anywhere(
                        "it was free when it was read", "AND a\\.free_at <= " + NOW + "(\\s+AND a\\.attempt <>)", "$2"),
                // github.com/aws-powertools/powertools-lambda-python/issues/1038
                anywhere(
                        "in progress has no end of its own",
                        "AND a\\.free_at <= " + NOW + "(\\s+AND a\\.attempt <>)",
                        "AND a.free_at = 0$2"),
                // github.com/kubernetes/kubernetes/issues/47671
                anywhere(
                        "the taker's own limit decides",
                        "AND l\\.free_at <= " + NOW + "( AND l\\.attempt <>)",
                        "AND (l.free_at = 0 OR l.beat + asked.silence_limit <= $1)$2"),
                // github.com/nightscout/nocturne/pull/326
                anywhere(
                        "the second of two tabs is a thief",
                        "(asked\\.presented = r\\.generation - 1 AND )" + NOW + " < r\\.born \\+ r\\.grace",
                        "$1false"));
    }

    private static Mutant<String> anywhere(String name, String pattern, String by) {
        return replacing(name, "", pattern, by);
    }
}
