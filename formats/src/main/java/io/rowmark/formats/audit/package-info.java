/** What lies in a snapshot of any Iceberg table, found from its manifests alone. */
@NullMarked
package io.rowmark.formats.audit;

import org.jspecify.annotations.NullMarked;
