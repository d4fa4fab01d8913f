/**
 * The program: the composition root, where the domain meets a database and the outside world, and the command line. {@link
 * io.holdfast.app.Holdfast} is where it starts.
 */
@NullMarked
package io.holdfast.app;

import org.jspecify.annotations.NullMarked;
