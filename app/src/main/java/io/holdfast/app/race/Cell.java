package io.holdfast.app.race;

/**
 * One line of the table: rounds of the same race.
 *
 * @param spreadMillis the i-th contender comes i times this after the barrier
 */
record Cell(Strategy strategy, Scenario scenario, int spreadMillis) {
    /** Names what a round of this cell is about; also a valid slug. */
    String key(int round) {
        return "%s-%s-%d-%d".formatted(strategy.label(), scenario.label(), spreadMillis, round);
    }

    @Override
    public String toString() {
        return "%s, %s, %d ms".formatted(strategy.label(), scenario.label(), spreadMillis);
    }
}
