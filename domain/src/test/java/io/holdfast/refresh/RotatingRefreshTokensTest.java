package io.holdfast.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.memory.MemoryRefreshTokens;
import io.holdfast.refresh.RotateOutcome.Refused;
import io.holdfast.refresh.RotateOutcome.Replayed;
import io.holdfast.refresh.RotateOutcome.Reused;
import io.holdfast.refresh.RotateOutcome.Rotated;
import io.holdfast.refresh.RotateOutcome.Why;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a token is, and what becomes of whatever a client sends. */
final class RotatingRefreshTokensTest {
    private static final FamilyTerms TERMS =
            new FamilyTerms(Duration.ofDays(30), Duration.ofDays(7), Duration.ofMinutes(1));
    private static final byte[] KEY = key(1);
    private static final byte[] NEXT_KEY = key(2);

    private final MemoryRefreshTokens store = new MemoryRefreshTokens();
    private final RotatingRefreshTokens tokens = with(TokenKeys.of(KEY));

    @Test
    void eachTokenGetsTheNext() {
        RefreshToken first = tokens.open(TERMS);
        RefreshToken second = rotated(first);
        assertThat(rotated(second)).isNotEqualTo(second).isNotEqualTo(first);
        assertThat(tokens.rotate(second.text())).isEqualTo(new Replayed<>(successor(second, 3)));
        assertThat(tokens.rotate(first.text())).isEqualTo(new Refused<>(Why.OVERTAKEN));
    }

    @Test
    void eachLoginIsAFamilyOfItsOwn() {
        RefreshToken first = tokens.open(TERMS);
        RefreshToken other = tokens.open(TERMS);
        assertThat(other.family()).isNotEqualTo(first.family());
        tokens.revoke(first.family());
        assertThat(tokens.rotate(first.text())).isEqualTo(new Refused<>(Why.REVOKED));
        assertThat(rotated(other).family()).isEqualTo(other.family());
    }

    @Test
    void aSpentTokenRevokesItsFamily() {
        RefreshToken first = tokens.open(TERMS);
        RefreshToken second = rotated(first);
        store.letPass(TERMS.grace());
        assertThat(tokens.rotate(first.text())).isEqualTo(new Reused<>(first.family()));
        assertThat(tokens.rotate(second.text())).isEqualTo(new Refused<>(Why.REVOKED));
    }

    @Test
    void aFamilyIsRevokedByAnyOfItsTokens() {
        RefreshToken spent = tokens.open(TERMS);
        RefreshToken current = rotated(spent);
        tokens.revoke(spent.text());
        assertThat(tokens.rotate(current.text())).isEqualTo(new Refused<>(Why.REVOKED));
    }

    // What a token looks like.

    @Test
    void aTokenIsFoundByItsPrefixAndPrintsNothing() {
        RefreshToken token = tokens.open(TERMS);
        assertThat(token.text()).matches("hfr_[A-Za-z0-9_-]{80}");
        assertThat(token).hasToString("hfr_...");
        assertThat(new Rotated<>(token)).hasToString("Rotated[successor=hfr_...]");
        assertThat(TokenKeys.of(KEY, NEXT_KEY)).hasToString("2 keys");
    }

    /** The format does not change: what was handed out yesterday is presented tomorrow. */
    @Test
    void theSameTokenIsMadeByEveryVersion() {
        Generation said = new Generation(new FamilyId(new UUID(0x0123456789abcdefL, 0x8899aabbccddeeffL)), 258);
        RefreshToken token = TokenKeys.of(KEY).sign(said);
        assertThat(token.text())
                .isEqualTo("hfr_ts_bqAEjRWeJq83viJmqu8zd7v8AAAAAAAABAqQM2ijY9O6Zx7xh-wHBxU0s4KJCH3tXa2NDzM93qnYd");
        assertThat(TokenKeys.of(KEY).read(token.text())).contains(said);
    }

    // What is none.

    /** Each of its characters counts, and the store never hears of it. */
    @Test
    void r8_whatIsChangedAnywhereIsNoTokenOfOurs() {
        RefreshToken token = tokens.open(TERMS);
        RotatingRefreshTokens host = new RotatingRefreshTokens(new Unreachable(), TokenKeys.of(KEY, NEXT_KEY));
        for (int i = 0; i < token.text().length(); i++) {
            for (char other : new char[] {'A', 'B', '_', '-', '=', '+', ' ', '\0', '\u00e4'}) {
                if (token.text().charAt(i) != other) {
                    assertJunk(
                            host,
                            token.text().substring(0, i) + other + token.text().substring(i + 1));
                }
            }
        }
    }

    @Test
    void r8_junkIsNoTokenOfOurs() {
        String text = tokens.open(TERMS).text();
        RotatingRefreshTokens host = new RotatingRefreshTokens(new Unreachable(), TokenKeys.of(KEY));
        Stream.of(
                        "",
                        "hfr_",
                        "null",
                        "'; drop table holdfast_refresh; --",
                        "{\"$ne\":null}",
                        "\ud800",
                        "=".repeat(84),
                        "hfr_" + "=".repeat(80),
                        "hfr_" + "A".repeat(80),
                        "x".repeat(5_000_000),
                        text + " ",
                        text + "=",
                        " " + text,
                        text.substring(0, 83),
                        text.substring(0, 82) + "==",
                        text.substring(4),
                        "HFR_" + text.substring(4),
                        text.toLowerCase(Locale.ROOT),
                        text + text)
                .forEach(junk -> assertJunk(host, junk));
    }

    /** Signed as we would, but for one thing. */
    @Test
    void r8_aSignatureByAnotherKeyIsNoTokenOfOurs() {
        RefreshToken token = tokens.open(TERMS);
        for (TokenKeys others : List.of(
                TokenKeys.of(NEXT_KEY),
                TokenKeys.of(new byte[32]),
                TokenKeys.of(Arrays.copyOf(NEXT_KEY, 64)),
                TokenKeys.of(token.text().getBytes(StandardCharsets.US_ASCII)))) {
            RefreshToken forged = others.sign(Generation.first(token.family()));
            RotatingRefreshTokens host = new RotatingRefreshTokens(new Unreachable(), TokenKeys.of(KEY));
            assertJunk(host, forged.text());
            assertJunk(host, named(token, forged));
        }
    }

    /** With the name of the key that it was not signed with. */
    private static String named(RefreshToken name, RefreshToken token) {
        byte[] bytes = Base64.getUrlDecoder().decode(token.text().substring(4));
        System.arraycopy(Base64.getUrlDecoder().decode(name.text().substring(4)), 0, bytes, 0, 4);
        return RefreshToken.PREFIX + Base64.getUrlEncoder().encodeToString(bytes);
    }

    private static void assertJunk(RotatingRefreshTokens host, String text) {
        assertThat(host.rotate(text)).as(text).isEqualTo(new Refused<>(Why.UNKNOWN));
        host.revoke(text);
    }

    // Keys.

    @Test
    void aTokenOfAnOlderKeyGetsOneOfTheCurrentKey() {
        RefreshToken old = tokens.open(TERMS);
        RefreshToken next = rotated(with(TokenKeys.of(NEXT_KEY, KEY)), old);
        assertThat(tokens.rotate(next.text())).isEqualTo(new Refused<>(Why.UNKNOWN));
        rotated(with(TokenKeys.of(NEXT_KEY)), next);
    }

    /** Nodes that sign with different keys understand each other, as long as all have both. */
    @Test
    void theKeyIsChangedWhileTokensGoRound() {
        RotatingRefreshTokens prepared = with(TokenKeys.of(KEY, NEXT_KEY));
        RotatingRefreshTokens changed = with(TokenKeys.of(NEXT_KEY, KEY));
        RefreshToken token = tokens.open(TERMS);
        for (RotatingRefreshTokens node : List.of(prepared, changed, prepared, changed)) {
            token = rotated(node, token);
        }
    }

    @Test
    void aKeyThatIsLeftAwayIsAcceptedNoMore() {
        RefreshToken old = tokens.open(TERMS);
        assertThat(with(TokenKeys.of(NEXT_KEY)).rotate(old.text())).isEqualTo(new Refused<>(Why.UNKNOWN));
    }

    @Test
    void aShortKeyIsRefused() {
        byte[] shortKey = Arrays.copyOf(KEY, 31);
        for (Runnable made : List.<Runnable>of(
                () -> TokenKeys.of(shortKey),
                () -> TokenKeys.of(KEY, NEXT_KEY, shortKey),
                () -> TokenKeys.of(new byte[0]))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(made::run)
                    .withMessageContainingAll("at least 32 bytes", "openssl rand 32");
        }
    }

    /** Whoever reads keys wipes its copies. */
    @Test
    void keysAreCopied() {
        byte[] key = KEY.clone();
        TokenKeys keys = TokenKeys.of(key);
        Arrays.fill(key, (byte) 0);
        assertThat(with(keys).open(TERMS).text().substring(4, 9))
                .isEqualTo(tokens.open(TERMS).text().substring(4, 9));
        rotated(tokens, with(keys).open(TERMS));
    }

    private RotatingRefreshTokens with(TokenKeys keys) {
        return new RotatingRefreshTokens(store, keys);
    }

    private RefreshToken rotated(RefreshToken token) {
        return rotated(tokens, token);
    }

    private static RefreshToken rotated(RotatingRefreshTokens node, RefreshToken token) {
        return node.rotate(token.text())
                .fold(Rotated::successor, replayed -> fail(token), reused -> fail(token), refused -> fail(token));
    }

    private static RefreshToken fail(RefreshToken token) {
        throw new AssertionError("was not rotated: " + token.family());
    }

    private static RefreshToken successor(RefreshToken token, long number) {
        return TokenKeys.of(KEY).sign(new Generation(token.family(), number));
    }

    private static byte[] key(int salt) {
        byte[] key = new byte[32];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (salt * 37 + i * 11);
        }
        return key;
    }

    /** Nothing may get here. */
    private static final class Unreachable implements RefreshTokenStore {
        @Override
        public void open(FamilyId family, FamilyTerms terms) {
            throw new AssertionError("opened");
        }

        @Override
        public RotateOutcome<Generation> rotate(Generation presented) {
            throw new AssertionError("presented: " + presented);
        }

        @Override
        public void revoke(FamilyId family) {
            throw new AssertionError("revoked: " + family);
        }

        @Override
        public int forget(Duration keep, int atMost) {
            throw new AssertionError("forgotten");
        }
    }
}
