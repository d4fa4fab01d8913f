package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import io.holdfast.Budget;
import io.holdfast.contract.LeaseContract;
import io.holdfast.contract.PublishContract;
import io.holdfast.contract.RefreshContract;
import io.holdfast.contract.SanctionContract;
import io.holdfast.contract.SaveContract;
import io.holdfast.contract.mutation.Attack;
import io.holdfast.contract.mutation.Mutant;
import io.holdfast.contract.mutation.MutationContract;
import io.holdfast.contract.mutation.Wire;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each condition of each command, removed or weakened on its way to the server: every client here connects over that way. */
final class MongoMutationTest implements MutationContract<MongoCommand> {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    /** By this time a mutant is caught that makes a call try again and again. */
    private static final Budget SHORT = Budget.of(Duration.ofSeconds(2));

    /** What tests do to documents themselves. */
    private static final Set<String> BY_HAND =
            Set.of("publish.find(_id)", "publish.delete(_id)", "sanction.delete(_id)");

    private static final Way WAY = new Way();

    private static MongoSubject subject;
    private static MongoWire wire;
    private static Map<String, Set<String>> toured;

    @BeforeAll
    static void open() {
        MongoDatabase byHand = SERVER.database();
        wire = new MongoWire(SERVER, WAY);
        MongoServer.connectOver(wire.address());
        MongoStores stores = MongoStores.of(SERVER.database());
        subject = new MongoSubject(byHand, stores.within(SHORT));
        MongoTour.of(new MongoSubject(byHand, stores));
        toured = Map.copyOf(WAY.mutants);
    }

    @AfterAll
    static void close() {
        MongoServer.connectOver(null);
        wire.close();
        assertThat(WAY.mutants.keySet())
                .as("what the tour does not send has no mutants")
                .allMatch(statement -> toured.containsKey(statement) || BY_HAND.contains(statement));
    }

    @Override
    public String engine() {
        return SERVER.engine();
    }

    @Override
    public Wire<MongoCommand> wire() {
        return WAY.wire;
    }

    @Override
    public void wipe() {
        subject.wipeButForOthers();
    }

    @Override
    public List<Attack<MongoCommand>> attacks() {
        return List.of(
                of("G1 G2 G4 G5 G6 G7 G8 G10 G12 G14 G15 C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12", "publish"),
                of("G1 G2 G4 G5 G6 G7 G8 G10 G12 G14 G15 L1 L2 L3 L4", "lease"),
                of("G1 G2 G4 G5 G6 G7 G8 G10 G12 G14 S1 S2 S3 S4 S5 S6 S7 S8", "save"),
                of("R1 R2 R3 R4 R5 R6", "refresh"),
                of("G1 G8 G10 B1 B2 B3 B4 B5", "sanction"));
    }

    private static Attack<MongoCommand> of(String rules, String port) {
        return new Attack<>(
                rules,
                "statements of " + port,
                toured.entrySet().stream()
                        .filter(statement -> statement.getKey().startsWith(port + "."))
                        .flatMap(statement -> statement.getValue().stream())
                        .sorted()
                        .map(name -> new Mutant<MongoCommand>(name, command -> command.mutated(name)))
                        .toList());
    }

    @Override
    public List<Class<?>> suites() {
        return List.of(
                Calls.class,
                Publish.class,
                Lease.class,
                Save.class,
                Refresh.class,
                Sanction.class,
                MongoCallsTest.class,
                MongoMeanwhileTest.class,
                MongoTurnTest.class);
    }

    /** What is sent, as far as the server can see. */
    static final class Calls implements MongoCallsContract {
        @Override
        public List<BsonDocument> sent() {
            List<BsonDocument> arrived = new CopyOnWriteArrayList<>();
            WAY.arrived = arrived;
            try {
                MongoTour.of(subject);
            } finally {
                WAY.arrived = null;
            }
            return arrived;
        }
    }

    static final class Publish implements PublishContract {
        @Override
        public MongoSubject subject() {
            return subject;
        }
    }

    static final class Lease implements LeaseContract {
        @Override
        public MongoSubject subject() {
            return subject;
        }
    }

    static final class Save implements SaveContract {
        @Override
        public MongoSubject subject() {
            return subject;
        }
    }

    static final class Refresh implements RefreshContract {
        @Override
        public MongoSubject subject() {
            return subject;
        }
    }

    static final class Sanction implements SanctionContract {
        @Override
        public MongoSubject subject() {
            return subject;
        }
    }

    /** Puts mutants in the place of commands, and hears what the server says of them. */
    private static final class Way implements MongoWire.Listener {
        /** What a server says of a change that it would make at another time: a unique index, a deadlock. */
        private static final Set<Integer> OF_THE_MOMENT = Set.of(50, 112, 11000, 16908292);

        private final Wire<MongoCommand> wire = new Wire<>();
        private final Map<String, Set<String>> mutants = new ConcurrentHashMap<>();
        private final Set<BsonDocument> mutated =
                Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        private volatile @Nullable List<BsonDocument> arrived;

        @Override
        public Optional<BsonDocument> sent(BsonDocument body) {
            MongoCommand command = MongoCommand.of(body);
            if (command.statement().isEmpty()) {
                return Optional.empty();
            }
            mutants.computeIfAbsent(
                    command.statement(), statement -> MongoMutants.of(body).keySet());
            MongoCommand sent = wire.send(command);
            List<BsonDocument> listening = arrived;
            if (listening != null) {
                listening.add(sent.body());
            }
            if (sent.equals(command)) {
                return Optional.empty();
            }
            if (!sent.isBare()) {
                mutated.add(sent.body());
            }
            return Optional.of(sent.body());
        }

        @Override
        public Optional<BsonDocument> answered(BsonDocument command, BsonDocument answer) {
            if (mutated.remove(command)) {
                BsonDocument error = error(answer);
                if (!error.isEmpty() && !isOfTheMoment(error)) {
                    wire.refuse(error.toJson());
                }
            }
            return Optional.empty();
        }

        /** Of the command, or of the first of its changes; empty if there is none. */
        private static BsonDocument error(BsonDocument answer) {
            return answer.getNumber("ok", new BsonInt32(1)).intValue() == 0
                    ? answer
                    : answer.getArray("writeErrors", new BsonArray()).stream()
                            .map(BsonValue::asDocument)
                            .findFirst()
                            .orElse(new BsonDocument());
        }

        private static boolean isOfTheMoment(BsonDocument error) {
            String text = error.getString("errmsg", new BsonString("")).getValue();
            return OF_THE_MOMENT.contains(
                            error.getNumber("code", new BsonInt32(0)).intValue())
                    || text.contains("duplicate key value")
                    || text.contains("violates exclusion constraint")
                    || text.contains("deadlock detected");
        }
    }
}
