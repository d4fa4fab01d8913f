package io.holdfast.app.race;

import java.net.URI;

/**
 * The first line that a contender reads. Not in its arguments, where every user of the machine could read the store's
 * password.
 *
 * @param name who it is, for a person
 * @param store a URL with everything that is needed to connect
 * @param prefix of this run's tables
 * @param orchestrator where the effects are started
 * @param data the folder of an embedded store, which this contender removes if the parent cannot; else empty
 */
record Setup(String name, String store, String prefix, URI orchestrator, String data) {}
