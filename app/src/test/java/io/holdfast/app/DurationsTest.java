package io.holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({"250ms, PT0.25S", "30s, PT30S", "5m, PT5M", "1h30m, PT1H30M", "2d, PT48H", "0s, PT0S", "PT5S, PT5S"})
    void durationsAreReadAsPeopleWriteThem(String text, Duration duration) {
        assertThat(new Durations().convert(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "5", "s", "-5s", "5 s", "5x", "1.5s", "99999999999999999999s", "9999999999999999d", "Pfoo"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> new Durations().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("is not a duration");
    }
}
