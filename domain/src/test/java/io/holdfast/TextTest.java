package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TextTest {
    private static final String FIRE = "\ud83d\udd25"; // 4 bytes, 2 chars
    private static final String REPLACED = "\ufffd"; // 3 bytes

    @ParameterizedTest
    @ValueSource(
            strings = {"a", " a ", "A", "\u00e4", "a\u0308", "a\u200b", FIRE, "$secret", "a.b", "'; drop table x", "\n."
            })
    void whatCanBeKeptIsKeptAsItIs(String text) {
        assertThat(Text.required("key", text, 20)).isSameAs(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n", "\u2003"})
    void blankTextIsRefused(String blank) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Text.required("key", blank, 20))
                .withMessage("key is blank: give it a value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "a\0", "\0a", "a\0b"})
    void nulIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Text.required("key", text, 20))
                .withMessageContainingAll("key", "NUL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "a\ud83d", "\udd25a", "\udd25\ud83d", "\ud83d\ud83d\udd25"})
    void halfOfASurrogatePairIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Text.required("key", text, 20))
                .withMessageContainingAll("key", "surrogate");
    }

    @Test
    void lengthIsCountedInBytes() {
        String fits = FIRE.repeat(4) + "xyz";
        assertThat(fits.getBytes(StandardCharsets.UTF_8)).hasSize(19);
        assertThat(Text.required("key", fits, 19)).isEqualTo(fits);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Text.required("key", fits, 18))
                .withMessage("key is longer than 18 bytes of UTF-8: shorten it");
    }

    @Test
    void aMegabyteIsRefusedWhateverIsInIt() {
        for (String text : new String[] {"x", "\0", "\ud83d"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Text.required("key", text.repeat(1_000_000), 255))
                    .withMessageContaining("longer than 255 bytes");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "it does not compile", "\u00e4", FIRE, "a\nb"})
    void anOutcomeThatFitsIsKeptAsItIs(String text) {
        assertThat(Text.outcome(text, 20)).isEqualTo(text);
    }

    @Test
    void anOutcomeWithoutWordsSaysSo() {
        assertThat(Text.outcome(null, 20)).isEqualTo("(no message)");
    }

    @Test
    void anOutcomeIsCleaned() {
        assertThat(Text.outcome("a\0b", 20)).isEqualTo("a" + REPLACED + "b");
        assertThat(Text.outcome("a\ud83d", 20)).isEqualTo("a" + REPLACED);
        assertThat(Text.outcome("\udd25a", 20)).isEqualTo(REPLACED + "a");
        assertThat(Text.outcome("\ud83d" + FIRE, 20)).isEqualTo(REPLACED + FIRE);
    }

    @Test
    void anOutcomeIsCutAtACharacter() {
        assertThat(Text.outcome("abcde", 4)).isEqualTo("abcd");
        assertThat(Text.outcome("a\u00e4\u00e4", 4)).isEqualTo("a\u00e4");
        assertThat(Text.outcome("abc" + FIRE, 7)).isEqualTo("abc" + FIRE);
        assertThat(Text.outcome("abc" + FIRE, 6)).isEqualTo("abc");
        assertThat(Text.outcome("abc" + FIRE, 4)).isEqualTo("abc");
        assertThat(Text.outcome("ab\0", 4)).isEqualTo("ab");
    }

    @Test
    void anOutcomeIsWholeUnicodeWhereverItIsCut() {
        String log = ("\0x\ud83d " + FIRE + "\udd25\u00e4").repeat(20);
        for (int bytes = 0; bytes <= 300; bytes++) {
            String kept = Text.outcome(log, bytes);
            assertThat(kept.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(bytes);
            assertThat(new String(kept.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .isEqualTo(kept)
                    .doesNotContain("\0");
            assertThat(Text.outcome(kept, bytes)).isEqualTo(kept);
        }
    }

    @Test
    void anOutcomeOfTenMegabytesIsCut() {
        assertThat(Text.outcome("\0\ud83d".repeat(5_000_000), 4_000)).isEqualTo(REPLACED.repeat(1_333));
    }
}
