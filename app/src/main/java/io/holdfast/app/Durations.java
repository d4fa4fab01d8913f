package io.holdfast.app;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as people write them: {@code 250ms}, {@code 30s}, {@code 1h30m}; and as ISO 8601 does. */
public final class Durations implements ITypeConverter<Duration> {
    private static final Pattern WHOLE = Pattern.compile("(\\d+(ms|s|m|h|d))+");
    private static final Pattern PART = Pattern.compile("(\\d+)(ms|s|m|h|d)");

    @Override
    public Duration convert(String text) {
        try {
            return text.startsWith("P") ? Duration.parse(text) : parse(text);
        } catch (DateTimeParseException | ArithmeticException | NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a duration: write 250ms, 30s, 5m or 1h30m");
        }
    }

    private static Duration parse(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new NumberFormatException(text);
        }
        Duration sum = Duration.ZERO;
        for (Matcher part = PART.matcher(text); part.find(); ) {
            long number = Long.parseLong(part.group(1));
            sum = sum.plus(
                    switch (part.group(2)) {
                        case "ms" -> Duration.ofMillis(number);
                        case "s" -> Duration.ofSeconds(number);
                        case "m" -> Duration.ofMinutes(number);
                        case "h" -> Duration.ofHours(number);
                        default -> Duration.ofDays(number);
                    });
        }
        return sum;
    }
}
