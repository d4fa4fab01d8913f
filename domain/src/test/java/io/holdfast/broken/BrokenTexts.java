package io.holdfast.broken;

import io.holdfast.Holder;
import io.holdfast.StoreUnavailable;
import io.holdfast.memory.MemoryPublishes;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.RequestKey;
import java.text.Normalizer;
import java.time.Duration;
import java.util.Locale;

/** Text is not compared exactly, or a duration is not kept whole. */
final class BrokenTexts {
    private BrokenTexts() {}

    /** A collation that does not see case. */
    @TurnsRed("G10")
    static final class KeyFoldedToLowerCase extends MemoryPublishes {
        @Override
        protected AppId key(AppId app) {
            return AppId.of(app.value().toLowerCase(Locale.ROOT));
        }
    }

    /** A collation that pads with blanks. */
    @TurnsRed("G10")
    static final class TrailingBlanksIgnored extends MemoryPublishes {
        @Override
        protected AppId key(AppId app) {
            return AppId.of(app.value().stripTrailing());
        }
    }

    /** A driver that composes characters. */
    @TurnsRed("G10")
    static final class RequestKeyNormalised extends MemoryPublishes {
        @Override
        public ClaimOutcome claim(ClaimRequest wish) {
            return super.claim(new ClaimRequest(
                    wish.attempt(),
                    wish.app(),
                    wish.slug(),
                    wish.holder(),
                    wish.limit(),
                    wish.requestKey()
                            .map(key -> RequestKey.of(Normalizer.normalize(key.value(), Normalizer.Form.NFC)))));
        }
    }

    /** A column that is too short, and is cut. */
    @TurnsRed("G10")
    static final class LabelIsCut extends MemoryPublishes {
        @Override
        protected Deployment deployment(Row row, Entry entry) {
            Deployment run = super.deployment(row, entry);
            String label = run.holder().label();
            return new Deployment(
                    run.id(),
                    run.app(),
                    run.slug(),
                    run.fence(),
                    new Holder(label.substring(0, Math.min(100, label.length()))),
                    run.startedAt(),
                    run.takenOverFrom(),
                    run.state());
        }
    }

    /** A column that is too short, and is an error. */
    @TurnsRed("G10")
    static final class OutcomeTextRefused extends MemoryPublishes {
        @Override
        protected void end(Row row, Entry entry, Ending ending) {
            if (ending.toString().length() > 1_000) {
                throw new StoreUnavailable(
                        StoreUnavailable.Effect.NOT_APPLIED, "data too long", new IllegalStateException("22001"));
            }
            super.end(row, entry, ending);
        }
    }

    /** Limits are kept in seconds. */
    @TurnsRed("G11")
    static final class FractionRoundedDown extends MemoryPublishes {
        @Override
        protected long limitMicros(Duration limit) {
            return super.limitMicros(Duration.ofSeconds(limit.toSeconds()));
        }
    }

    /** Milliseconds in 32 bits are good for 24 days. */
    @TurnsRed("G11")
    static final class LimitOverflows extends MemoryPublishes {
        @Override
        protected long limitMicros(Duration limit) {
            int millis = (int) limit.toMillis();
            return super.limitMicros(Duration.ofMillis(millis));
        }
    }
}
