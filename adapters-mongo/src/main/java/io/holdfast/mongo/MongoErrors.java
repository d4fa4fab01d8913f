package io.holdfast.mongo;

import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoWriteConcernException;
import io.holdfast.StoreUnavailable;
import io.holdfast.StoreUnavailable.Effect;
import java.util.Set;

/**
 * Says what an error means. The only place that knows codes, and texts: where MongoDB has a code, DocumentDB often has the
 * text of the PostgreSQL that it runs in, under the code of an internal error.
 */
final class MongoErrors {
    private static final int INTERNAL_ERROR = 1;
    private static final int MAX_TIME_EXPIRED = 50;
    private static final int WRITE_CONFLICT = 112;
    private static final int DUPLICATE_KEY = 11000;
    /** PostgreSQL's 40P01, packed into a number by DocumentDB. */
    private static final int DEADLOCK_DETECTED = 16908292;

    /** The node is not the primary, or no longer; the driver looks for the new one. */
    private static final Set<Integer> NO_PRIMARY = Set.of(91, 189, 10107, 11600, 11602, 13435, 13436);

    /**
     * What is said of a write that was made, too, when waiting for the majority was cut short: the driver makes one and the
     * same exception of an error of the command and of an error of its write concern. The rest are network errors behind a
     * mongos.
     */
    private static final Set<Integer> MAY_BE_APPLIED =
            Set.of(6, 7, MAX_TIME_EXPIRED, 64, 89, 91, 189, 202, 262, 9001, 10107, 11600, 11602, 13435, 13436);

    private MongoErrors() {}

    /**
     * Whether a write has run into a unique index, and so has changed nothing. DocumentDB has another answer for an update
     * than for an insert, and does not tell which index it was.
     */
    static boolean isDuplicate(MongoException e) {
        return e.getCode() == DUPLICATE_KEY
                || isInternal(e, "violates exclusion constraint")
                || isInternal(e, "duplicate key value");
    }

    /** Whether the command may succeed if it is sent again. */
    static boolean asksToRepeat(MongoException e) {
        return wasUndone(e) || NO_PRIMARY.contains(e.getCode());
    }

    private static boolean wasUndone(MongoException e) {
        return e.getCode() == WRITE_CONFLICT || e.getCode() == DEADLOCK_DETECTED || isInternal(e, "deadlock detected");
    }

    /** Whether the command was sent, and took too long. */
    static boolean isTooSlow(MongoException e) {
        return !wasNotSent(e) && (e instanceof MongoOperationTimeoutException || e.getCode() == MAX_TIME_EXPIRED);
    }

    static StoreUnavailable unavailable(MongoException e) {
        if (e instanceof MongoInterruptedException) {
            Thread.currentThread().interrupt();
            return unknown("the thread was interrupted", e);
        }
        if (wasNotSent(e)) {
            return notApplied("no server could be reached, or no connection to it was free", e);
        }
        if (wasRefused(e)) {
            return notApplied("the server refused", e);
        }
        return isTooSlow(e)
                ? unknown("the server did not answer in time, perhaps because somebody has locked the document", e)
                : unknown("the connection or the server failed", e);
    }

    private static boolean wasNotSent(MongoException e) {
        if (e instanceof MongoOperationTimeoutException) {
            return e.getCause() instanceof MongoSocketOpenException
                    || says(e, "while waiting for a server")
                    || says(e, "while waiting for a connection");
        }
        return e instanceof MongoSocketOpenException || e instanceof MongoClientException;
    }

    private static boolean wasRefused(MongoException e) {
        return e instanceof MongoServerException
                && !(e instanceof MongoWriteConcernException)
                && !MAY_BE_APPLIED.contains(e.getCode())
                && (e.getCode() != INTERNAL_ERROR || wasUndone(e) || isDuplicate(e));
    }

    private static boolean isInternal(MongoException e, String text) {
        return e.getCode() == INTERNAL_ERROR && says(e, text);
    }

    private static boolean says(MongoException e, String text) {
        return String.valueOf(e.getMessage()).contains(text);
    }

    private static StoreUnavailable notApplied(String what, MongoException cause) {
        return new StoreUnavailable(
                Effect.NOT_APPLIED, what + ", and nothing was changed: " + cause.getMessage(), cause);
    }

    private static StoreUnavailable unknown(String what, MongoException cause) {
        return new StoreUnavailable(
                Effect.UNKNOWN,
                what + "; whether anything was changed is not known, so ask again with the same attempt: "
                        + cause.getMessage(),
                cause);
    }
}
