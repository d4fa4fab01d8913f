package io.holdfast.app.serve;

import io.holdfast.app.CannotStart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs what is sent to the orchestrator: {@code t=SECONDS,v1=HEX}, where HEX is the HMAC-SHA-256 of {@code SECONDS.BODY}. The
 * time is in it so that the receiver can refuse an old one that somebody sends again.
 */
final class Signature {
    static final String HEADER = "Holdfast-Signature";

    private static final String ALGORITHM = "HmacSHA256";
    private static final int SHORTEST = 16;

    private final SecretKeySpec key;
    private final InstantSource clock;

    Signature(String secret, InstantSource clock) {
        this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
        this.clock = clock;
    }

    /**
     * Reads the secret, which is all of the file but the blanks around it.
     *
     * @throws CannotStart if it cannot be read, or is too short
     */
    static Signature read(Path file) {
        String secret;
        try {
            secret = Files.readString(file).strip();
        } catch (IOException e) {
            throw new CannotStart("the secret file " + file + " cannot be read", e);
        }
        if (secret.length() < SHORTEST) {
            throw new CannotStart("the secret in " + file + " has less than " + SHORTEST + " characters");
        }
        return new Signature(secret, InstantSource.system());
    }

    String of(byte[] body) {
        String time = Long.toString(clock.instant().getEpochSecond());
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
            return "t=" + time + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC-SHA-256", e);
        }
    }
}
