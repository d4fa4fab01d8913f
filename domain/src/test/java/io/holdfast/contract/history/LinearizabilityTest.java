package io.holdfast.contract.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The checker itself, on histories written by hand: of a register, which is read and written. */
final class LinearizabilityTest {
    private final List<Event<Integer>> history = new ArrayList<>();

    private void write(long called, long returned, int value) {
        history.add(Event.<Integer, String>answered(
                "writer", called, returned, "write " + value, "", (register, said) -> Optional.of(value)));
    }

    private void lostWrite(long called, int value) {
        history.add(Event.<Integer, String>unknown(
                "writer", called, "write " + value, (register, said) -> Optional.of(value)));
    }

    private void read(long called, long returned, int value) {
        history.add(Event.<Integer, Integer>answered(
                "reader", called, returned, "read", value, (register, said) -> said.is(register, register)));
    }

    /** Adds, and tells the sum: each has an effect that others see. */
    private void add(long called, long returned, int more, int sum) {
        history.add(Event.<Integer, Integer>answered(
                "adder",
                called,
                returned,
                "add " + more,
                sum,
                (register, said) -> said.is(register + more, register + more)));
    }

    private void lostAdd(long called, int more) {
        history.add(Event.<Integer, Integer>unknown(
                "adder", called, "add " + more, (register, said) -> said.is(register + more, register + more)));
    }

    private Optional<List<Integer>> explained() {
        return Linearizability.explain(0, history);
    }

    private void assertRefused(String... contradiction) {
        assertThat(explained()).isEmpty();
        assertThat(Linearizability.contradiction(0, history))
                .extracting(Event::asked)
                .containsExactly(contradiction);
    }

    @Test
    void nothingIsExplainedByNothing() {
        assertThat(explained()).hasValue(List.of(0));
    }

    @Test
    void oneAfterTheOtherIsTakenAsItWas() {
        write(1, 2, 7);
        read(3, 4, 7);
        write(5, 6, 8);
        read(7, 8, 8);
        assertThat(explained()).hasValue(List.of(0, 7, 7, 8, 8));
    }

    @Test
    void aStaleReadIsRefused() {
        write(1, 2, 7);
        write(3, 4, 8);
        read(5, 6, 7);
        // Had the first one's return been lost, it could have come last.
        assertRefused("write 7", "write 8", "read");
    }

    @Test
    void aValueThatNobodyWroteIsRefused() {
        write(1, 2, 7);
        read(3, 4, 9);
        assertRefused("read");
    }

    @Test
    void aReadBesideAWriteSeesEither() {
        write(1, 10, 7);
        read(2, 3, 0);
        read(4, 5, 7);
        assertThat(explained()).isPresent();
    }

    @Test
    void whatOneReadHasSeenALaterOneDoesNotUnsee() {
        write(1, 10, 7);
        read(2, 3, 7);
        read(4, 5, 0);
        assertRefused("read", "read");
    }

    @Test
    void whatReturnsInTheMomentOfAnothersCallIsBesideIt() {
        write(1, 2, 7);
        read(2, 3, 0);
        assertThat(explained()).isPresent();
    }

    @Test
    void ofTwoAtOnceEitherMayBeTheFirst() {
        add(1, 10, 2, 5);
        add(1, 10, 3, 3);
        assertThat(explained()).hasValue(List.of(0, 3, 5));
    }

    @Test
    void ofTwoAtOnceNotBothAreTheFirst() {
        add(1, 10, 2, 2);
        add(1, 10, 3, 3);
        assertRefused("add 2", "add 3");
    }

    @Test
    void aLostWriteMayHaveHappenedMuchLater() {
        lostWrite(1, 7);
        write(2, 3, 8);
        read(4, 5, 8);
        read(6, 7, 7);
        assertThat(explained()).hasValue(List.of(0, 8, 8, 7, 7));
    }

    @Test
    void aLostWriteMayNeverHaveHappened() {
        lostWrite(1, 7);
        read(2, 3, 0);
        read(4, 5, 0);
        assertThat(explained()).hasValue(List.of(0, 0, 0));
    }

    @Test
    void aLostWriteHappensOnce() {
        lostAdd(1, 5);
        add(2, 3, 1, 1);
        add(4, 5, 1, 7);
        assertThat(explained()).hasValue(List.of(0, 1, 6, 7));
        add(6, 7, 1, 13);
        assertRefused("add 1");
    }

    @Test
    void aLostWriteDoesNotHappenBeforeItsCall() {
        read(1, 2, 7);
        lostWrite(3, 7);
        assertRefused("read");
    }

    @Test
    void whatACallMayHaveDoneBesidesHasHappenedOrNot() {
        write(1, 10, 7);
        history.add(history.get(0).besides("write 5", register -> 5));
        read(2, 3, 0);
        read(4, 5, 5);
        read(6, 7, 7);
        assertThat(explained()).hasValue(List.of(0, 0, 5, 5, 7, 7));
        history.remove(3);
        assertThat(explained()).isPresent();
    }

    @Test
    void whatACallMayHaveDoneBesidesDoesNotComeAfterIt() {
        write(1, 10, 7);
        history.add(history.get(0).besides("write 5", register -> 5));
        read(11, 12, 7);
        read(13, 14, 5);
        assertThat(explained()).isEmpty();
    }

    @Test
    void theEndOfTimeIsNotPassed() {
        // An implementation that adds to it would think that this came before everything.
        lostWrite(Long.MAX_VALUE - 1, 7);
        read(1, 2, 0);
        assertThat(explained()).isPresent();
    }

    @Test
    void manyAtOnceAreNoTrouble() {
        for (int i = 0; i < 6; i++) {
            write(1, 100, i);
            lostWrite(1, 100 + i);
        }
        read(101, 102, 3);
        read(103, 104, 105);
        assertThat(explained()).isPresent();
        read(105, 106, 4);
        assertThat(explained()).isEmpty();
    }
}
