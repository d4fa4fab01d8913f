package io.holdfast.app.race;

import java.util.concurrent.ThreadFactory;

/** Threads that keep no process from ending. */
final class Threads {
    private Threads() {}

    static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
