package io.rowmark.merge.record;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Which source transaction a change is of.
 *
 * @param transaction the part of its name that all its changes share; null where the record does
 *     not tell, as that of a snapshot read
 * @param number of the change among those of its transaction and source table, from 1; 0 where the
 *     record does not tell
 * @param commit the beginning of the change's order that its transaction shares; null where the
 *     source gives no order
 * @param sourceTable name of the source table, each part with a dot before it; empty where the
 *     record does not tell
 */
public record TransactionMark(
    @Nullable String transaction, long number, byte @Nullable [] commit, String sourceTable)
    implements Serializable {}
