package io.holdfast.app.race;

import io.holdfast.mongo.MongoServer;
import org.junit.jupiter.api.extension.RegisterExtension;

class RaceOnMongoTest implements RaceOnOneEngine {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    @Override
    public String url() {
        return SERVER.uri();
    }
}
