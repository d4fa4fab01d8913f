package io.holdfast.app.serve;

import io.holdfast.publish.Orchestrator;

/** Who does what was decided. */
record Outside(Orchestrator orchestrator, Releaser releaser, Writer writer) {}
