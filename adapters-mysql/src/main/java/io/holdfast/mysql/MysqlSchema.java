package io.holdfast.mysql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** Makes the tables. */
final class MysqlSchema {
    /** Where a statement of a script ends: at the end of its line. */
    private static final Pattern END = Pattern.compile(";\\R");

    private final MysqlCalls calls;
    private final String prefix;

    MysqlSchema(MysqlCalls calls, String prefix) {
        this.calls = calls;
        this.prefix = prefix;
    }

    void migrate() {
        calls.call(line -> {
            for (String statement : END.splitAsStream(read("V1__publish.sql")).toList()) {
                line.change(MysqlStatements.statement(prefix, statement));
            }
            return Optional.of(true);
        });
    }

    void check() {}

    private static String read(String file) {
        try (InputStream in = Objects.requireNonNull(MysqlSchema.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
