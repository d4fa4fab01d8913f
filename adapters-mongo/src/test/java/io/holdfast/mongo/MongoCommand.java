package io.holdfast.mongo;

import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A command that the adapter sends. Two are equal if they are the same mutant of the same statement, or both none: whatever
 * values they carry.
 */
final class MongoCommand {
    private final BsonDocument body;
    private final String statement;
    private final String mutant;

    private MongoCommand(BsonDocument body, String statement, String mutant) {
        this.body = body;
        this.statement = statement;
        this.mutant = mutant;
    }

    static MongoCommand of(BsonDocument body) {
        return new MongoCommand(body, MongoSent.statement(body), "");
    }

    BsonDocument body() {
        return body;
    }

    /** "" if it is none of the adapter's. */
    String statement() {
        return statement;
    }

    /** The mutant of this name, or the command itself if it has none of this name. */
    MongoCommand mutated(String name) {
        if (!name.startsWith(statement + ":")) {
            return this;
        }
        @Nullable Supplier<BsonDocument> changed = MongoMutants.of(body).get(name);
        return changed == null ? this : new MongoCommand(changed.get(), statement, name);
    }

    /** Whether a text is not quoted in it: then it may be refused for some texts, and is good for all others. */
    boolean isBare() {
        return mutant.endsWith(MongoMutants.BARE);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MongoCommand that && statement.equals(that.statement) && mutant.equals(that.mutant);
    }

    @Override
    public int hashCode() {
        return statement.hashCode() * 31 + mutant.hashCode();
    }
}
