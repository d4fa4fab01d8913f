package io.holdfast.refresh;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The host's keys: the current one signs, and those before it are still accepted. To change the key, add the new one on
 * every node as an older one, then make it the current one; take the old one away when nothing that it has signed can be
 * valid any more. Immutable and thread-safe; prints how many they are.
 *
 * <p>A token is, in base64url: 4 bytes that name the key, 16 of the family, 8 of the generation, and 32 of HMAC-SHA256 over
 * the prefix and all these. Without padding or bits to spare, so that no two texts are one token.
 */
public final class TokenKeys {
    private static final int SHORTEST = 32;
    private static final int KEY_ID = 4;
    private static final int SAID = KEY_ID + 16 + 8;
    private static final int ALL = SAID + 32;
    private static final int TEXT = RefreshToken.PREFIX.length() + ALL / 3 * 4;
    private static final String ALGORITHM = "HmacSHA256";

    /** The current one first. */
    private final SecretKeySpec[] keys;

    private TokenKeys(byte[] current, byte[][] older) {
        keys = new SecretKeySpec[1 + older.length];
        for (int i = 0; i < keys.length; i++) {
            byte[] key = i == 0 ? current : older[i - 1];
            if (key.length < SHORTEST) {
                throw new IllegalArgumentException("a key for refresh tokens must have at least 32 bytes, all of them"
                        + " random: make one with \"openssl rand 32\", and keep it out of the database");
            }
            keys[i] = new SecretKeySpec(key, ALGORITHM);
        }
    }

    /**
     * As the constructor would.
     *
     * @param current signs; at least 32 random bytes, the same on every node. Copied, as all keys are
     * @param older are accepted besides
     * @throws IllegalArgumentException if a key is too short
     */
    public static TokenKeys of(byte[] current, byte[]... older) {
        return new TokenKeys(current, older);
    }

    /** The token of a generation: always the same one, until the current key is another. */
    RefreshToken sign(Generation generation) {
        UUID family = generation.family().value();
        ByteBuffer token = ByteBuffer.allocate(ALL)
                .put(id(keys[0]))
                .putLong(family.getMostSignificantBits())
                .putLong(family.getLeastSignificantBits())
                .putLong(generation.number());
        token.put(hmac(keys[0], token.array(), SAID));
        return new RefreshToken(
                generation.family(),
                RefreshToken.PREFIX + Base64.getUrlEncoder().encodeToString(token.array()));
    }

    /** What a text says, if it is a token that one of the keys has signed. Why it is none is nobody's business. */
    Optional<Generation> read(String text) {
        // Length first: a megabyte of junk is refused without being read.
        if (text.length() != TEXT || !text.startsWith(RefreshToken.PREFIX)) {
            return Optional.empty();
        }
        byte[] token;
        try {
            token = Base64.getUrlDecoder().decode(text.substring(RefreshToken.PREFIX.length()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        // Its last characters may have been padding.
        return token.length == ALL && isSigned(token) ? Optional.of(said(token)) : Optional.empty();
    }

    private boolean isSigned(byte[] token) {
        byte[] signature = Arrays.copyOfRange(token, SAID, ALL);
        for (SecretKeySpec key : keys) {
            if (Arrays.equals(id(key), Arrays.copyOf(token, KEY_ID))
                    && MessageDigest.isEqual(hmac(key, token, SAID), signature)) {
                return true;
            }
        }
        return false;
    }

    private static Generation said(byte[] token) {
        ByteBuffer words = ByteBuffer.wrap(token).position(KEY_ID);
        return new Generation(new FamilyId(new UUID(words.getLong(), words.getLong())), words.getLong());
    }

    @Override
    public String toString() {
        return keys.length + " keys";
    }

    /** Made of the key, so that the two cannot be mixed up; tells nothing of it, and is no signature of any token. */
    private static byte[] id(SecretKeySpec key) {
        return Arrays.copyOf(hmac(key, new byte[0], 0), KEY_ID);
    }

    private static byte[] hmac(SecretKeySpec key, byte[] bytes, int length) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(RefreshToken.PREFIX.getBytes(StandardCharsets.US_ASCII));
            mac.update(bytes, 0, length);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new LinkageError("every Java platform has " + ALGORITHM, e);
        }
    }
}
