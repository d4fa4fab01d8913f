package io.holdfast.save;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SaveValuesTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void s8_eachTokenIsAnotherOneAndAScannerFindsIt() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            String text = SaveToken.random().reveal();
            assertThat(text).matches("hfs_[A-Za-z0-9_-]{43}");
            assertThat(seen.add(text)).isTrue();
        }
    }

    @Test
    void s8_aTokenIsReadAsItWasGiven() {
        SaveToken token = SaveToken.random();
        SaveToken read = SaveToken.parse(token.reveal());
        assertThat(read.reveal()).isEqualTo(token.reveal());
        assertThat(read.digest()).isEqualTo(token.digest());
        assertThat(SaveToken.random().digest()).isNotEqualTo(token.digest());
    }

    @Test
    void s8_whatIsNoTokenIsRefusedAndNotRepeated() {
        String secret = SaveToken.random().reveal();
        for (String text : List.of(
                "",
                "x",
                secret.substring(1),
                secret + "=",
                secret.replace("hfs_", "hfr_"),
                secret + "\n",
                " " + secret)) {
            assertThatThrownBy(() -> SaveToken.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("send it as it was given")
                    .hasMessageNotContaining(secret.substring(5, 40))
                    .hasNoCause();
        }
    }

    @Test
    void s8_aTokenPrintsAsNothing() {
        SaveToken token = SaveToken.random();
        assertThat(token).hasToString("hfs_...");
        assertThat(token.digest().toString()).matches("[0-9a-f]{64}");
    }

    /** A store cannot keep, log or lose what it is never given. */
    @Test
    void s8_nothingThatAStoreIsGivenOrAnswersHasAToken() {
        Set<Class<?>> seen = new HashSet<>();
        Arrays.stream(SaveTokenStore.class.getMethods())
                .flatMap(SaveValuesTest::types)
                .forEach(type -> follow(type, seen));
        assertThat(seen).contains(TokenDigest.class, Reservation.class, SaveResult.class);
        assertThat(seen).doesNotContain(SaveToken.class);
    }

    private static Stream<Class<?>> types(Method method) {
        return Stream.concat(Stream.of(method.getReturnType()), Arrays.stream(method.getParameterTypes()));
    }

    private static void follow(Class<?> type, Set<Class<?>> seen) {
        if (!seen.add(type)) {
            return;
        }
        if (type.isSealed()) {
            Arrays.stream(type.getPermittedSubclasses()).forEach(each -> follow(each, seen));
        }
        if (type.isRecord()) {
            Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .forEach(each -> follow(each, seen));
        }
    }

    /** FIPS 180-4: the example of a message of one block. */
    @Test
    void aFingerprintIsTheSha256OfThePayload() {
        assertThat(Fingerprint.of(bytes("abc")))
                .hasToString("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
                .isEqualTo(Fingerprint.ofSha256(Fingerprint.of(bytes("abc")).bytes()))
                .isNotEqualTo(Fingerprint.of(bytes("abd")));
    }

    @Test
    void aHashOfAnotherLengthIsRefused() {
        for (int length : new int[] {0, 31, 33}) {
            assertThatThrownBy(() -> TokenDigest.ofSha256(new byte[length]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a SHA-256 has 32 bytes, not " + length);
            assertThatThrownBy(() -> Fingerprint.ofSha256(new byte[length]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aDigestIsNoFingerprint() {
        byte[] sha256 = Fingerprint.of(bytes("abc")).bytes();
        assertThat((Object) TokenDigest.ofSha256(sha256)).isNotEqualTo(Fingerprint.ofSha256(sha256));
        assertThat(TokenDigest.ofSha256(sha256))
                .isEqualTo(TokenDigest.ofSha256(sha256))
                .hasSameHashCodeAs(TokenDigest.ofSha256(sha256));
    }

    @Test
    void whatIsDoneToAnArrayChangesNoValue() {
        byte[] sha256 = Fingerprint.of(bytes("abc")).bytes();
        TokenDigest digest = TokenDigest.ofSha256(sha256);
        String before = digest.toString();
        sha256[0]++;
        digest.bytes()[0]++;
        assertThat(digest).hasToString(before);

        byte[] text = bytes("abc");
        SaveResult result = SaveResult.of(text);
        text[0]++;
        result.bytes()[0]++;
        assertThat(result.bytes()).isEqualTo(bytes("abc"));
    }

    @Test
    void aResultIsComparedByItsBytesAndDoesNotPrintThem() {
        SaveResult result = SaveResult.of(bytes("secret"));
        assertThat(result)
                .isEqualTo(SaveResult.of(bytes("secret")))
                .hasSameHashCodeAs(SaveResult.of(bytes("secret")))
                .isNotEqualTo(SaveResult.of(bytes("secret ")))
                .hasToString("result of 6 bytes");
    }

    @Test
    void aResultThatIsTooLongIsRefused() {
        assertThat(SaveResult.of(new byte[SaveResult.MAX_BYTES]).bytes()).hasSize(256 * 1024);
        assertThatThrownBy(() -> SaveResult.of(new byte[SaveResult.MAX_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("longer than 262144 bytes");
    }
}
