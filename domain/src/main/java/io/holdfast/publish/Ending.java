package io.holdfast.publish;

import io.holdfast.Text;
import java.net.URI;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How a deployment ended, told by its holder. */
public sealed interface Ending extends Deployment.State {
    /** The most bytes of UTF-8 that are kept of an error or a reason. */
    int MAX_TEXT = 4_000;

    /** The most bytes of UTF-8 that a url may have. */
    int MAX_URL = 2_000;

    /**
     * The app is live.
     *
     * @param url where; absolute, at most {@value #MAX_URL} bytes
     */
    record Live(URI url) implements Ending {
        public Live {
            // Not cut like other outcomes: a part of an address is a wrong address.
            Text.required("url", url.toString(), MAX_URL);
            if (!url.isAbsolute()) {
                throw new IllegalArgumentException("url must be absolute: give it a scheme, such as https");
            }
        }
    }

    /**
     * It went wrong.
     *
     * @param error in words for a person; cleaned and cut, never refused
     */
    record Failed(String error) implements Ending {
        public Failed(@Nullable String error) {
            this.error = Text.outcome(error, MAX_TEXT);
        }
    }

    /**
     * Surely nothing was started, and so the request key is free again.
     *
     * @param why as {@link Failed#error()}
     */
    record NotStarted(String why) implements Ending {
        public NotStarted(@Nullable String why) {
            this.why = Text.outcome(why, MAX_TEXT);
        }
    }

    default <R> R fold(
            Function<? super Live, ? extends R> live,
            Function<? super Failed, ? extends R> failed,
            Function<? super NotStarted, ? extends R> notStarted) {
        if (this instanceof Live l) {
            return live.apply(l);
        }
        if (this instanceof Failed f) {
            return failed.apply(f);
        }
        return notStarted.apply((NotStarted) this);
    }
}
