package io.holdfast;

import java.util.Collection;
import java.util.Map;

/**
 * A store whose holds can be kept alive. Thread-safe.
 *
 * @param <H> the kind of hold; the only type parameter of the domain
 */
public interface HoldStore<H extends Hold> {
    /**
     * Gives each hold its whole silence limit again, counted from now, if it is still held (G6, G7, G14). A hold that is
     * silent but was not taken is renewed; its last sign of life never moves backwards.
     *
     * <p>A hold that the answer does not mention <em>has had no word</em>: its row was locked or could not be read just
     * now. It is neither renewed nor lost. So a store that forgets one stops work, and never doubles it.
     *
     * @param holds any number, also none, and also the same one twice
     * @throws StoreUnavailable if the store could not be asked at all; then no hold has had a word
     */
    Map<H, Renewal> renew(Collection<H> holds);
}
