/**
 * Publishing over HTTP. {@link io.holdfast.app.serve.ServeCommand} is the command, {@code Service} what runs, {@code PublishApi} its
 * routes, and {@code Problem} everything that may be answered instead; {@code openapi.json} describes it to others.
 */
@NullMarked
package io.holdfast.app.serve;

import org.jspecify.annotations.NullMarked;
