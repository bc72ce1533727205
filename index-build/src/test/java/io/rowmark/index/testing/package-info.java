/** What tests of this and other modules share. */
package io.rowmark.index.testing;
