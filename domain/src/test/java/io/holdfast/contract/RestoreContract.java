package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.contract.Evidence.Method;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Rows vanish, or come back as they were. */
interface RestoreContract {
    Engine engine();

    /** Copies all apps, leases and save tokens; what is returned puts them back, and removes whatever came later. */
    Runnable backup();

    /** What ended meanwhile is there again, and in nobody's way for longer than its limit. */
    @Test
    default void g4_whenABackupIsRestoredFencesAreHigherThanAllBefore() {
        Tries tries = new Tries();
        Siege.Key.all(engine().subject()).forEach(key -> tries.attempt(key.toString(), () -> restore(key)));
        tries.tell(
                Method.FAULTS,
                engine().name(),
                "G4 G6 G7 G13",
                "a backup is restored: what it holds had ended since, what was granted since is unknown to it",
                "a hold that the backup brings back lasts its limit");
    }

    private <H extends Hold> void restore(Siege.Key<H> key) {
        H kept = key.taken("kept");
        Runnable restore = backup();
        assertThat(key.end(kept)).isTrue();
        H forgotten = key.taken("forgotten");
        restore.run();

        assertThat(key.isHeld(forgotten)).isFalse();
        assertThat(key.end(forgotten)).isFalse();
        assertThat(Stubborn.ask(key.wish("early")))
                .as("taken while the old hold stands")
                .isNull();
        engine().subject().letPass(Trial.LIMIT);
        assertThat(key.taken("next").fence()).isGreaterThan(forgotten.fence());
    }

    @Test
    default void g4_whenAllTablesAreEmptiedFencesAreHigherThanAllBefore() {
        vanish(
                "all tables are emptied by hand while a hold stands",
                key -> engine().subject().wipe());
    }

    @Test
    default void g4_whenARowIsDeletedByHandFencesAreHigherThanAllBefore() {
        vanish("a row is deleted by hand while its hold stands", Siege.Key::delete);
    }

    private void vanish(String what, Consumer<Siege.Key<?>> by) {
        Tries tries = new Tries();
        Siege.Key.all(engine().subject()).forEach(key -> tries.attempt(key.toString(), () -> vanish(key, by)));
        tries.tell(Method.FAULTS, engine().name(), "G4 G6 G13", what, "");
    }

    private static <H extends Hold> void vanish(Siege.Key<H> key, Consumer<Siege.Key<?>> by) {
        key.setUp(); // the one before may have emptied all
        H forgotten = key.taken("forgotten");
        by.accept(key);
        assertThat(key.isHeld(forgotten)).isFalse();
        assertThat(key.end(forgotten)).isFalse();
        key.setUp();
        assertThat(key.taken("next").fence()).isGreaterThan(forgotten.fence());
    }
}
