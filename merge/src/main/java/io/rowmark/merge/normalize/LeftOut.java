package io.rowmark.merge.normalize;

/** Stands in a row for a value that the envelope says is as it was. */
enum LeftOut {
  VALUE
}
