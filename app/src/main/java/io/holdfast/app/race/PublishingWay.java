package io.holdfast.app.race;

/** A way to publish an app. In a race each app wants the name that it has as a key. */
interface PublishingWay extends Way {
    /**
     * Presses publish.
     *
     * @param slug the name that the app is to have
     */
    Pressed publish(String app, String slug);

    /** Leaves the app live, and a failed attempt after that. May be repeated when it has failed. */
    void leaveLive(String app, String slug);

    /**
     * Leaves a deployment that is marked as building, and whose owner has been silent for ten minutes. May be repeated when
     * it has failed.
     *
     * @return its id
     */
    String leaveDead(String app, String slug);

    @Override
    default Pressed press(String key, String given) {
        return publish(key, key);
    }

    @Override
    default Pressed prepare(Scenario scenario, String key) {
        return switch (scenario) {
            case REPUBLISH -> {
                leaveLive(key, key);
                yield Pressed.told(Answer.prepared(null));
            }
            case DEAD_OWNER -> Pressed.told(Answer.prepared(leaveDead(key, key)));
            case SLOW_BUILD -> publish(key, key);
            default -> Pressed.told(Answer.prepared(null));
        };
    }
}
