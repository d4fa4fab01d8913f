package io.holdfast.app.serve;

import io.holdfast.app.CannotStart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bearer tokens that are let in. Only their digests stay in memory. */
final class Tokens {
    private static final int SHORTEST = 16;
    private static final String SCHEME = "Bearer ";

    private final List<byte[]> digests;

    private Tokens(List<byte[]> digests) {
        this.digests = digests;
    }

    /**
     * Reads a file of one token per line; empty lines, and those that begin with #, are none.
     *
     * @throws CannotStart if it cannot be read, has no token, or one that is too short
     */
    static Tokens read(Path file) {
        List<String> tokens;
        try {
            tokens = Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new CannotStart("the token file " + file + " cannot be read", e);
        }
        if (tokens.isEmpty()) {
            throw new CannotStart("the token file " + file + " has no token: write one per line");
        }
        if (tokens.stream().anyMatch(token -> token.length() < SHORTEST)) {
            throw new CannotStart("the token file " + file + " has a token of less than " + SHORTEST
                    + " characters: make one with, say, openssl rand -hex 24");
        }
        return new Tokens(tokens.stream().map(Tokens::digest).toList());
    }

    /** Takes the same time whichever token it is, and compares it with all. */
    boolean admit(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        byte[] presented = digest(authorization.substring(SCHEME.length()).strip());
        boolean known = false;
        for (byte[] digest : digests) {
            known |= MessageDigest.isEqual(digest, presented);
        }
        return known;
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
