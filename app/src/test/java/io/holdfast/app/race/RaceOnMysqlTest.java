package io.holdfast.app.race;

import io.holdfast.mysql.MysqlServer;
import org.junit.jupiter.api.extension.RegisterExtension;

class RaceOnMysqlTest implements RaceOnOneEngine {
    @RegisterExtension
    static final MysqlServer SERVER = new MysqlServer();

    @Override
    public String url() {
        return SERVER.url();
    }
}
