package io.rowmark.merge.maintain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which snapshots of a table are to expire.
 *
 * @param snapshots that the table has
 * @param expired of these, those that are old enough and that nothing needs
 * @param before snapshots from this time on stay
 * @param floor what needs older snapshots than age alone would keep; null for nothing
 * @param refusal why none may be expired, whatever their age; null where they may
 */
public record ExpiryPlan(
    String table,
    int snapshots,
    int expired,
    Instant before,
    @Nullable String floor,
    @Nullable String refusal) {}
