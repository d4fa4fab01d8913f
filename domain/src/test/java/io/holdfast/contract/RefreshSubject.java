package io.holdfast.contract;

import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.refresh.TokenKeys;
import java.security.SecureRandom;
import java.time.Duration;

/** A store of refresh tokens under test, and the hands that do to it what time, operators and accidents do. */
public interface RefreshSubject {
    RefreshTokenStore refreshTokens();

    /** The host's keys, always the same ones. A store has no say in them. */
    default TokenKeys keys() {
        return Host.KEYS;
    }

    /** Lets time pass: moves every time in the store back by {@code time}. */
    void letPass(Duration time);

    /** Empties the store. */
    void wipe();

    /** Deletes the family's row by hand, as an operator would. */
    void deleteByHand(FamilyId family);

    /**
     * Everything that the store holds about the family, in a form that differs if a byte of it does. Of a family that the
     * store holds nothing about: always the same.
     */
    String dump(FamilyId family);

    /** Whoever runs this JVM. */
    final class Host {
        private static final TokenKeys KEYS = TokenKeys.of(new SecureRandom().generateSeed(32));

        private Host() {}
    }
}
