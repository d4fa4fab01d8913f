package io.holdfast.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the values of publishing refuse, and what they make of the rest. */
final class PublishValuesTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "my-app", "a--b", "123", "xn--bcher-kva"})
    void aSlugIsOneLabelOfAHostName(String slug) {
        assertThat(Slug.of(slug).value()).isEqualTo(slug);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A",
                "my_app",
                "-a",
                "a-",
                "-",
                "a.b",
                "a b",
                " a",
                "a ",
                "a\n",
                "b\u00fccher",
                "\u0430",
                "$a",
                "'",
                "a/b"
            })
    void everythingElseIsNone(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Slug.of(text))
                .withMessageContaining("slug must be 1 to 63");
    }

    @Test
    void aSlugHasAtMost63Characters() {
        assertThat(Slug.of("a".repeat(63)).value()).hasSize(63);
        assertThatIllegalArgumentException().isThrownBy(() -> Slug.of("a".repeat(64)));
        // Refused by its length, without a look at the rest: the pattern would be slow.
        assertThatIllegalArgumentException().isThrownBy(() -> Slug.of("a-".repeat(500_000)));
    }

    @Test
    void keysHave255BytesAndAreCalledByTheirNames() {
        assertKey("app", text -> AppId.of(text).value());
        assertKey("idempotency key", text -> RequestKey.of(text).value());
    }

    private static void assertKey(String name, Function<String, String> key) {
        String longest = "\u00e4".repeat(127) + "x";
        assertThat(longest.getBytes(StandardCharsets.UTF_8)).hasSize(255);
        assertThat(key.apply(longest)).isEqualTo(longest);
        for (String bad : new String[] {"", " ", "\0", "a\ud83d", longest + "x", "x".repeat(1_000_000)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> key.apply(bad))
                    .withMessageStartingWith(name + " ");
        }
    }

    @Test
    void anErrorIsCutAtACharacterAndNeverRefused() {
        String log = "\ud83d\udd25".repeat(2_000_000) + "\0";
        String kept = "\ud83d\udd25".repeat(Ending.MAX_TEXT / 4);
        assertThat(new Ending.Failed(log).error()).isEqualTo(kept);
        assertThat(new Ending.NotStarted(log).why()).isEqualTo(kept);
        assertThat(new Ending.Failed("x" + log).error().getBytes(StandardCharsets.UTF_8))
                .hasSize(Ending.MAX_TEXT - 3);
        assertThat(new Ending.Failed("\0").error()).isEqualTo("\ufffd");
        assertThat(new Ending.Failed("").error()).isEmpty();
        assertThat(new Ending.Failed(null).error()).isEqualTo("(no message)");
        assertThat(new Ending.NotStarted(null).why()).isEqualTo("(no message)");
    }

    @Test
    void anAddressIsWholeAndAbsolute() {
        URI longest = URI.create("https://example.com/" + "x".repeat(Ending.MAX_URL - 20));
        assertThat(new Ending.Live(longest).url()).isEqualTo(longest);
        assertThatIllegalArgumentException().isThrownBy(() -> new Ending.Live(URI.create(longest + "x")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Ending.Live(URI.create("/shop")))
                .withMessageContaining("absolute");
        assertThatIllegalArgumentException().isThrownBy(() -> new Ending.Live(URI.create("")));
    }
}
