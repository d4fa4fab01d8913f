/**
 * The ports of the domain, kept by MongoDB, or by a database that speaks its protocol (FerretDB over DocumentDB). {@link
 * io.holdfast.mongo.MongoStores} is the way in.
 */
@NullMarked
package io.holdfast.mongo;

import org.jspecify.annotations.NullMarked;
