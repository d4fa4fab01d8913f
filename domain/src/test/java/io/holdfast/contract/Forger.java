package io.holdfast.contract;

import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RefreshToken;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.refresh.RotateOutcome;
import io.holdfast.refresh.RotateOutcome.Rotated;
import io.holdfast.refresh.RotatingRefreshTokens;
import io.holdfast.refresh.TokenKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Has the whole database and this program, and not the host's keys. Tries everything there for a key. */
final class Forger {
    private static final Pattern WORD = Pattern.compile("[\\w+/-]+=*");
    private static final int KEY = 32;

    private Forger() {}

    /** For each value of the dump, and for keys that are no secret: the first tokens of the family. */
    static List<RefreshToken> tokens(String dump, FamilyId family) {
        List<byte[]> keys = new ArrayList<>(
                List.of(new byte[KEY], RefreshToken.PREFIX.repeat(8).getBytes(StandardCharsets.US_ASCII)));
        keys.add(dump.getBytes(StandardCharsets.UTF_8));
        WORD.matcher(dump).results().map(MatchResult::group).forEach(word -> {
            keys.add(word.getBytes(StandardCharsets.UTF_8));
            decoded(HexFormat.of()::parseHex, word.replaceFirst("^\\\\?x", "").replace("-", ""), keys);
            decoded(Base64.getDecoder()::decode, word, keys);
            decoded(Base64.getUrlDecoder()::decode, word, keys);
        });
        List<RefreshToken> forged = new ArrayList<>();
        for (byte[] key : keys) {
            TokenKeys mine = TokenKeys.of(key.length < KEY ? Arrays.copyOf(key, KEY) : key);
            for (long number = 1; number <= 4; number++) {
                forged.add(signed(mine, new Generation(family, number)));
            }
        }
        return forged;
    }

    private static void decoded(Function<String, byte[]> decoder, String word, List<byte[]> keys) {
        try {
            keys.add(decoder.apply(word));
        } catch (IllegalArgumentException notInThisForm) {
            // Then it is no key either.
            return;
        }
    }

    /** The use case signs whatever its store says: here one that says what is wanted. */
    private static RefreshToken signed(TokenKeys keys, Generation wanted) {
        RotatingRefreshTokens accomplice = new RotatingRefreshTokens(new Accomplice(wanted), keys);
        RefreshToken any = accomplice.open(Lineage.TERMS);
        return Lineage.successor(accomplice.rotate(any.text()));
    }

    private record Accomplice(Generation wanted) implements RefreshTokenStore {
        @Override
        public void open(FamilyId family, FamilyTerms terms) {}

        @Override
        public RotateOutcome<Generation> rotate(Generation presented) {
            return new Rotated<>(wanted);
        }

        @Override
        public void revoke(FamilyId family) {}

        @Override
        public int forget(Duration keep, int atMost) {
            return 0;
        }
    }
}
