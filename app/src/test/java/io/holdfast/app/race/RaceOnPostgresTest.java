package io.holdfast.app.race;

import io.holdfast.postgres.PostgresServer;
import org.junit.jupiter.api.extension.RegisterExtension;

class RaceOnPostgresTest implements RaceOnOneEngine {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    @Override
    public String url() {
        return SERVER.url();
    }
}
