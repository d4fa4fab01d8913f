package io.holdfast.mongo;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;

/**
 * Stands before a server, lets a change be made, and says in the place of the answer that the primary is stepping down. That
 * is a fault of the real server which no other server can be brought to. Thread-safe.
 */
final class StepDown implements AutoCloseable {
    private static final BsonDocument STEPPING_DOWN = BsonDocument.parse("""
            { ok: 0.0, code: 11602, codeName: 'InterruptedDueToReplStateChange', errmsg: 'operation was interrupted' }
            """);

    private final MongoWire wire;
    private volatile Runnable meanwhile = () -> {};
    private final AtomicInteger changesUntil = new AtomicInteger();
    private final Set<BsonDocument> spoilt =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    StepDown(MongoServer server) {
        this.wire = new MongoWire(server, new MongoWire.Listener() {
            @Override
            public Optional<BsonDocument> sent(BsonDocument command) {
                if (command.getFirstKey().equals("findAndModify") && changesUntil.getAndDecrement() == 1) {
                    spoilt.add(command);
                }
                return Optional.empty();
            }

            @Override
            public Optional<BsonDocument> answered(BsonDocument command, BsonDocument answer) {
                if (!spoilt.remove(command)) {
                    return Optional.empty();
                }
                meanwhile.run();
                return Optional.of(STEPPING_DOWN);
            }
        });
    }

    int port() {
        return wire.address().getPort();
    }

    /** Steps down when the {@code nth} findAndModify from now, 1 being the next one, has been applied. */
    void after(int nth) {
        after(nth, () -> {});
    }

    /** The same, and others do something before the caller hears of it. */
    void after(int nth, Runnable others) {
        meanwhile = others;
        changesUntil.set(nth);
    }

    boolean isDone() {
        return changesUntil.get() <= 0;
    }

    @Override
    public void close() {
        wire.close();
    }
}
