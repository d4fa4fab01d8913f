package io.holdfast;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads of which exactly one runs at a time, until it says itself that it waits. So code that blocks, and is meant to
 * run on many threads, runs the same way each time; threads are needed only because a stack cannot be put aside.
 */
final class Strands {
    private final Deque<Strand> idle = new ArrayDeque<>();
    private final Strand caller = new Strand(Thread.currentThread());
    private Strand running = caller;
    private BooleanSupplier step = () -> false;

    /** One of the threads. */
    static final class Strand {
        private final Thread thread;
        private volatile boolean turn;
        private @Nullable Object monitor;

        private Strand(Thread thread) {
            this.thread = thread;
        }

        private Strand(Strands all) {
            this.thread = new Thread(() -> all.work(this), "strand");
            thread.setDaemon(true);
            thread.start();
        }

        private void giveTurn() {
            Object waitsOn = monitor;
            if (waitsOn == null) {
                turn = true;
                LockSupport.unpark(thread);
            } else {
                synchronized (waitsOn) {
                    turn = true;
                    waitsOn.notifyAll();
                }
            }
        }

        private void awaitTurn() {
            while (!turn) {
                LockSupport.park(this);
            }
            turn = false;
        }
    }

    /** Does {@code nextStep} until it returns false. The thread that made this, and no other, calls it. */
    void run(BooleanSupplier nextStep) {
        this.step = nextStep;
        switchTo(idleOne());
    }

    /** The thread that runs. */
    Strand running() {
        return running;
    }

    /** Called within a step: the steps go on elsewhere, until {@link #resume} is called with this one. */
    void suspend() {
        switchTo(idleOne());
    }

    /** As {@link #suspend}, and lets go of the caller's monitor meanwhile. */
    void suspend(Object monitor) throws InterruptedException {
        Strand me = running;
        me.monitor = monitor;
        running = idleOne();
        running.giveTurn();
        synchronized (monitor) {
            while (!me.turn) {
                monitor.wait();
            }
        }
        me.turn = false;
        me.monitor = null;
    }

    /** Called between two steps, by the one that does them: it is idle until somebody needs it. */
    void resume(Strand suspended) {
        idle.push(running);
        switchTo(suspended);
    }

    private Strand idleOne() {
        return idle.isEmpty() ? new Strand(this) : idle.pop();
    }

    private void switchTo(Strand next) {
        Strand me = running;
        running = next;
        next.giveTurn();
        me.awaitTurn();
    }

    private void work(Strand me) {
        me.awaitTurn();
        while (true) {
            if (!step.getAsBoolean()) {
                resume(caller);
            }
        }
    }
}
