package io.rowmark.merge.normalize;

import io.rowmark.formats.type.Inference;
import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fields that events showed. */
final class SeenFields {
  private final Map<String, SourceField> inferred = new LinkedHashMap<>();
  private final Set<SourceField> typed = new LinkedHashSet<>();

  void typed(SourceField field) {
    typed.add(field);
  }

  void untyped(
      String column,
      SourceType source,
      @Nullable Object value,
      @Nullable List<SourceField> fields) {
    if (fields != null) {
      return;
    }
    SourceType type = shown(source, value);
    SourceField before = inferred.get(column);
    SourceType joined =
        before == null ? type : Inference.join(before.type(), type).orElse(before.type());
    inferred.put(column, new SourceField(column, joined, Presence.OPTIONAL, null));
  }

  /** A declared int is believed until a value shows that the source column has grown. */
  private static SourceType shown(SourceType declared, @Nullable Object value) {
    SourceType seen = Inference.of(value).orElse(Plain.INFERRED);
    boolean outgrown = declared == Plain.INT && seen == Plain.LONG;
    return declared == Plain.INFERRED || outgrown ? seen : declared;
  }

  List<SourceField> inferred() {
    return List.copyOf(inferred.values());
  }

  List<SourceField> typed() {
    return List.copyOf(typed);
  }
}
