package io.holdfast.app;

import io.holdfast.mysql.MysqlServer;
import org.junit.jupiter.api.extension.RegisterExtension;

class SavingOnMysqlTest implements SavingProcessContract {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    @Override
    public String url() {
        return SERVER.url();
    }

    @Override
    public String engine() {
        return SERVER.engine();
    }
}
