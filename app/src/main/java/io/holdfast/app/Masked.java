package io.holdfast.app;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.CompositeConverter;

/**
 * {@code %masked(...)} in {@code logback.xml}: without passwords. With the option {@code line}, also without line breaks, so that
 * nobody forges an entry by the name of an app.
 */
public final class Masked extends CompositeConverter<ILoggingEvent> {
    @Override
    protected String transform(ILoggingEvent event, String text) {
        String masked = Secrets.masked(text);
        return "line".equals(getFirstOption()) ? masked.replaceAll("\\p{Cntrl}+", " ") : masked;
    }
}
