package io.holdfast.app;

import io.holdfast.Budget;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which database: the options that every command has. */
public final class StoreOptions {
    @Option(
            names = "--store",
            paramLabel = "STORE",
            converter = Address.class,
            description = {
                "The database that decides (default: ${DEFAULT-VALUE}):",
                "  embedded, a PostgreSQL of our own, kept in a folder;",
                "  jdbc:postgresql://... or jdbc:mysql://...;",
                "  mongodb://..., which may be FerretDB.",
                "A password in it is better off in the environment: HOLDFAST_STORE."
            })
    private StoreAddress store = StoreAddress.parse("embedded");

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where embedded keeps its data (default: ${DEFAULT-VALUE}). One program at a time.")
    private Path data = Path.of(".holdfast", "postgres");

    @Option(
            names = "--table-prefix",
            paramLabel = "PREFIX",
            converter = Prefix.class,
            description = "How the names of our tables or collections begin (default: ${DEFAULT-VALUE}).")
    private String tablePrefix = "holdfast_";

    public StoreAddress store() {
        return store;
    }

    /** Opens it; {@code budget} is for each call. */
    public Backend open(Budget budget) {
        return Backend.open(store, data, tablePrefix, budget);
    }

    private static final class Address implements ITypeConverter<StoreAddress> {
        @Override
        public StoreAddress convert(String value) {
            try {
                return StoreAddress.parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** As the adapters will have it, but before anything is started. */
    private static final class Prefix implements ITypeConverter<String> {
        @Override
        public String convert(String value) {
            if (!value.matches("[a-z_][a-z0-9_]{0,29}")) {
                throw new TypeConversionException("it must be 1 to 30 of a-z, 0-9 and _, and not begin with a digit");
            }
            return value;
        }
    }
}
