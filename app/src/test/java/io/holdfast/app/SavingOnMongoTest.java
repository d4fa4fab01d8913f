package io.holdfast.app;

import io.holdfast.mongo.MongoServer;
import org.junit.jupiter.api.extension.RegisterExtension;

class SavingOnMongoTest implements SavingProcessContract {
    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    @Override
    public String url() {
        return SERVER.uri();
    }

    @Override
    public String engine() {
        return SERVER.engine();
    }
}
