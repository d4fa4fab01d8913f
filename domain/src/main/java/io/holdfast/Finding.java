package io.holdfast;

/**
 * One thing that makes a database unfit to decide.
 *
 * @param wrong what was found, and where
 * @param remedy what to do about it, as an instruction
 */
public record Finding(String wrong, String remedy) {
    @Override
    public String toString() {
        return wrong + ". " + remedy;
    }
}
