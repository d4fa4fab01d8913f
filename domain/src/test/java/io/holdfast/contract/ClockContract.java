package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Budget;
import io.holdfast.Hold;
import io.holdfast.contract.Evidence.Method;
import io.holdfast.contract.Operation.Call;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The server's clock is moved by hours while it runs, and with it how far the JVM's clock is from it. */
interface ClockContract {
    Engine engine();

    Breakable server();

    /** Far more than any limit here. */
    Duration HOURS = Duration.ofHours(5);

    /** So often a test is begun at most. */
    int LIVES = 3;

    /**
     * Now and then libfaketime fails a wait of MySQL's own, which ends itself over that (os0event.cc: pthread_cond_timedwait()
     * returned 22). That is nothing the store has done: the server is started again, and the test begins anew.
     */
    private void underAMovedClock(String rules, String what, String note, Consumer<Tries> test) {
        for (int life = 1; ; life++) {
            Tries tries = new Tries();
            try {
                test.accept(tries);
            } catch (RuntimeException | AssertionError e) {
                if (server().isRunning() || life == LIVES) {
                    throw e;
                }
            }
            if (server().isRunning()) {
                tries.tell(Method.FAULTS, engine().name(), rules, what, note);
                return;
            }
            assertThat(life).as("the server has ended itself each time").isLessThan(LIVES);
            server().start();
        }
    }

    private void attempt(Tries tries, String what, Executable attempt) {
        assertThat(server().isRunning()).as("the server is there").isTrue();
        tries.attempt(what, attempt);
    }

    /** The first time the server may have been restarted, which each pool finds out by a call that fails. */
    private void setClock(Duration ahead) {
        server().setClock(ahead);
        Stubborn.ask(() -> LeaseTrial.on(engine().subject()).hadBy("whoever asks first"));
    }

    /** Only how far the two are apart can matter, so it is the server's clock that is moved. */
    @Test
    default void g3_aClockOfTheJvmThatIsHoursAheadOrBehindChangesNoOutcome() {
        underAMovedClock(
                "G3",
                "the JVM's clock is 5 hours behind the database's, then 5 hours ahead, then right again: each operation",
                "by libfaketime in the server",
                tries -> {
                    for (Duration ahead : List.of(HOURS, HOURS.negated(), Duration.ZERO)) {
                        setClock(ahead);
                        Operation.all()
                                .forEach(operation -> attempt(tries, operation.name(), () -> {
                                    Call call = operation.begin().apply(engine().subject());
                                    Ports here = engine().within(Budget.DEFAULT);
                                    call.make(here);
                                    assertThat(call.isApplied())
                                            .isEqualTo(operation.kind().changes());
                                    call.make(here);
                                }));
                    }
                });
    }

    /** A hold lasts longer, by as much as the clock went back, and no longer; and its end is the end all the same. */
    @Test
    default void g4_whenTheServersClockIsSetBackFencesGrowAndNobodyIsStuckForEver() {
        underAMovedClock(
                "G2 G4 G7",
                "the database's clock is set back by 5 hours while a hold stands, ends, and falls silent",
                "a silent hold then lasts its limit and those 5 hours; by libfaketime",
                tries -> Siege.Key.all(engine().subject())
                        .forEach(key -> attempt(tries, key.toString(), () -> setBack(key))));
    }

    private <H extends Hold> void setBack(Siege.Key<H> key) {
        setClock(Duration.ZERO);
        H first = key.taken("first");
        setClock(HOURS.negated());
        assertThat(key.isHeld(first)).isTrue();
        assertThat(Stubborn.ask(key.wish("early"))).as("taken while it is held").isNull();
        assertThat(key.end(first)).isTrue();

        H second = key.taken("second");
        assertThat(second.fence()).isGreaterThan(first.fence());
        engine().subject().letPass(Trial.LIMIT);
        H third = key.taken("third");
        assertThat(third.fence()).isGreaterThan(second.fence());
        assertThat(key.end(third)).isTrue();

        setClock(Duration.ZERO);
        H silent = key.taken("silent");
        setClock(HOURS.negated());
        engine().subject().letPass(HOURS.minus(Trial.A_MINUTE));
        assertThat(Stubborn.ask(key.wish("early")))
                .as("taken before limit and leap are over")
                .isNull();
        engine().subject().letPass(Trial.LIMIT.plus(Trial.A_MINUTE));
        assertThat(key.taken("last").fence()).isGreaterThan(silent.fence());
        setClock(Duration.ZERO);
    }

    /** That a hold is taken early is not promised against; that its fence is refused from then on is. */
    @Test
    default void g6_whenTheServersClockLeapsForwardWhoWasTakenOverEarlyCanChangeNothing() {
        underAMovedClock(
                "G4 G6",
                "the database's clock leaps forward by 5 hours while a hold stands, and is put right again",
                "the hold is taken early, which is not promised against; by libfaketime",
                tries -> Siege.Key.all(engine().subject())
                        .forEach(key -> attempt(tries, key.toString(), () -> setForward(key))));
    }

    private <H extends Hold> void setForward(Siege.Key<H> key) {
        setClock(Duration.ZERO);
        H first = key.taken("first");
        setClock(HOURS);
        H early = key.taken("early");
        assertThat(early.fence()).isGreaterThan(first.fence());
        assertThat(key.isHeld(first)).isFalse();
        assertThat(key.end(first)).isFalse();
        assertThat(key.isHeld(early)).isTrue();

        setClock(Duration.ZERO);
        assertThat(key.isHeld(first)).isFalse();
        assertThat(key.isHeld(early)).isTrue();
        assertThat(key.end(early)).isTrue();
        assertThat(key.taken("next").fence()).isGreaterThan(early.fence());
    }
}
