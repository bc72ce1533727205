/** Shows on one branch, with deletes by position, what a streaming writer put on another. */
@NullMarked
package io.rowmark.index.publish;

import org.jspecify.annotations.NullMarked;
