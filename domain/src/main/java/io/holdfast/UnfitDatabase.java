package io.holdfast;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The database was reached, and its schema or settings would let two holders in or lose what was acknowledged. Thrown by
 * an adapter's {@code check()}; the service must not start on it.
 */
public final class UnfitDatabase extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<Finding> findings;

    /**
     * @param findings what is wrong, at least one
     */
    public UnfitDatabase(List<Finding> findings) {
        super(findings.stream()
                .map(Finding::toString)
                .collect(Collectors.joining("\n", "database is not fit to decide:\n", "")));
        this.findings = List.copyOf(findings);
    }

    public List<Finding> findings() {
        return findings;
    }
}
