package io.holdfast.app.serve;

import io.holdfast.lease.Lease;
import io.holdfast.release.ContentId;
import java.io.IOException;
import java.time.Duration;

/** Releases nothing, and takes its time. For trying the service out. */
final class SimulatedReleaser implements Releaser {
    private final Duration time;

    SimulatedReleaser(Duration time) {
        this.time = time;
    }

    @Override
    public Ending release(ContentId content, Lease lease) throws IOException {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return new Ending.Released();
    }
}
