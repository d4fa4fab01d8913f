package io.holdfast.app;

import io.holdfast.postgres.PostgresServer;
import org.junit.jupiter.api.extension.RegisterExtension;

class SavingOnPostgresTest implements SavingProcessContract {
    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    @Override
    public String url() {
        return SERVER.url();
    }

    @Override
    public String engine() {
        return SERVER.engine();
    }
}
