/**
 * A catalog without a service to install: an Iceberg REST server inside this process, on loopback,
 * whose multi-table commit is one database transaction. For the quickstart and for tests; it has no
 * authentication, so every user of the machine can reach it while it runs.
 */
@NullMarked
package io.rowmark.app.embedded;

import org.jspecify.annotations.NullMarked;
