package io.holdfast.app.serve;

import io.holdfast.NotDone;
import io.holdfast.lease.Lease;
import io.holdfast.release.ContentId;
import java.io.IOException;

/** Who releases contents. */
interface Releaser {
    /**
     * Releases, and returns when it is over.
     *
     * @param lease the fence tells this release from those that were taken over
     * @throws NotDone if surely nothing was begun
     * @throws IOException if nobody knows what came of it, and it may even go on
     */
    Ending release(ContentId content, Lease lease) throws NotDone, IOException;

    /** How a release ended. */
    sealed interface Ending {
        /** The content is out. */
        record Released() implements Ending {}

        /** It was begun, and is over. */
        record Failed(String error) implements Ending {}
    }
}
