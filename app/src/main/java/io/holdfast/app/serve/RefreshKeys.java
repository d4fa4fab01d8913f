package io.holdfast.app.serve;

import io.holdfast.app.CannotStart;
import io.holdfast.refresh.TokenKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the keys that sign refresh tokens. They are files, because a list of processes shows what is on a command line. */
final class RefreshKeys {
    private RefreshKeys() {}

    /**
     * Reads a key from each file, all bytes of it.
     *
     * @param files the key that signs first; none: no keys
     * @throws CannotStart if one cannot be read, or is too short
     */
    static Optional<TokenKeys> read(List<Path> files) {
        List<byte[]> keys = files.stream().map(RefreshKeys::read).toList();
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    TokenKeys.of(keys.get(0), keys.subList(1, keys.size()).toArray(byte[][]::new)));
        } catch (IllegalArgumentException e) {
            throw new CannotStart("one of the key files " + files + " will not do: " + e.getMessage(), e);
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new CannotStart("the key file " + file + " cannot be read", e);
        }
    }
}
