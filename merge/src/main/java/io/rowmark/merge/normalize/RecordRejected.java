package io.rowmark.merge.normalize;

/** One record cannot become a row. Cheap, since a bad batch may hold millions; holds no values. */
final class RecordRejected extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String code;
  private final String column;

  RecordRejected(String code, String column, String reason) {
    super(reason, null, false, false);
    this.code = code;
    this.column = column;
  }

  String code() {
    return code;
  }

  String column() {
    return column;
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
