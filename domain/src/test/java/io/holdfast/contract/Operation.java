package io.holdfast.contract;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One operation of a port as {@link OperationContract} sees it: one call, about one row, whatever it is for.
 *
 * @param name for a report, such as "acquire a free lease"
 * @param begin makes a row of its own and brings it into the state that the operation begins with; always by a network
 *     without faults, and without letting time pass, because others wait that have begun before
 */
record Operation(String name, Kind kind, Function<EngineSubject, Call> begin) {
    /** What it does to its row, which says how many round trips it may take, and whether a lock makes it wait. */
    enum Kind {
        /** Takes a key that has a row. */
        TAKE,
        /** Takes a key that nobody has heard of. */
        TAKE_NEW,
        /** Comes too late to take, and changes nothing. */
        LOSE,
        /** Renews a hold, and tells whether it is held. */
        RENEW,
        /** Ends or changes what is held. */
        END,
        /** Is told what has ended before, or who has taken it, and changes nothing. */
        END_AGAIN;

        boolean changes() {
            return this == TAKE || this == TAKE_NEW || this == END;
        }
    }

    /** An operation that is ready to be called. */
    interface Call {
        /** Which row; of {@link Kind#TAKE_NEW} there is none yet. */
        Row row();

        /**
         * Calls it, and asserts that the answer is what it has to be; also when it was applied before and is repeated (G5, G12).
         *
         * @throws io.holdfast.StoreUnavailable if the port does
         */
        void make(Ports there);

        /** Whether the row says that it was done; of what changes nothing: false. */
        boolean isApplied();
    }

    static Stream<Operation> all() {
        return Stream.of(
                        PublishOperations.ALL,
                        LeaseOperations.ALL,
                        SanctionOperations.ALL,
                        RefreshOperations.ALL,
                        SaveOperations.ALL)
                .flatMap(List::stream);
    }

    static Stream<Operation> thatChange() {
        return all().filter(operation -> operation.kind().changes());
    }

    @Override
    public String toString() {
        return name;
    }
}
