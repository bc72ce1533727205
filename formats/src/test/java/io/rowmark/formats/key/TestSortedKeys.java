package io.rowmark.formats.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.key.KeySpec.KeyColumn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class TestSortedKeys {
  private static final KeySpec NUMBERS = key(Types.LongType.get());
  private static final KeySpec PAIRS = key(Types.IntegerType.get(), Types.StringType.get());

  private static KeySpec key(Type... types) {
    List<KeyColumn> columns = new ArrayList<>();
    for (Type type : types) {
      columns.add(new KeyColumn(columns.size() + 1, "k" + columns.size(), type));
    }
    return new KeySpec(columns);
  }

  private static SortedKeys numbers(long... values) {
    SortedKeysBuilder builder = SortedKeys.builder(NUMBERS);
    for (long value : values) {
      builder.add(List.of(value));
    }
    return builder.build();
  }

  private record Bounds(List<?> lowest, List<?> highest) implements KeyBounds {
    @Override
    public Object lower(int column) {
      return column < lowest.size() ? lowest.get(column) : null;
    }

    @Override
    public Object upper(int column) {
      return column < highest.size() ? highest.get(column) : null;
    }
  }

  @Test
  void keysWithinBoundsIncludeBothBounds() {
    SortedKeys keys = numbers(-5, 1, 2, 3, 9);
    assertThat(keys.within(keys.all(), new Bounds(List.of(1L), List.of(3L))))
        .isEqualTo(new KeyRange(1, 4));
    assertThat(keys.within(keys.all(), new Bounds(List.of(), List.of(0L))))
        .isEqualTo(new KeyRange(0, 1));
    assertThat(keys.within(keys.all(), new Bounds(List.of(4L), List.of(8L))).isEmpty()).isTrue();
    assertThat(keys.within(new KeyRange(2, 5), new Bounds(List.of(-9L), List.of(2L))))
        .isEqualTo(new KeyRange(2, 3));
    assertThat(keys.within(keys.all(), new Bounds(List.of(), List.of()))).isEqualTo(keys.all());
  }

  @Test
  void aConstantColumnLetsTheNextOneNarrow() {
    SortedKeysBuilder builder = SortedKeys.builder(PAIRS);
    for (int tenant = 1; tenant <= 3; tenant++) {
      for (String name : List.of("a", "b", "c")) {
        builder.add(List.of(tenant, name));
      }
    }
    SortedKeys keys = builder.build();
    byte[] b = {'b'};
    byte[] z = {'z'};
    assertThat(keys.within(keys.all(), new Bounds(List.of(2L, b), List.of(2L, z))))
        .isEqualTo(new KeyRange(4, 6));
    assertThat(keys.within(keys.all(), new Bounds(List.of(2L, b), List.of(3L, z))))
        .isEqualTo(new KeyRange(3, 9));
  }

  @Test
  void keysOutOfOrderAreRefusedOrSorted() {
    SortedKeysBuilder builder = SortedKeys.builder(PAIRS);
    builder.add(List.of(2, "a")).add(List.of(1, "b")).add(List.of(1, "a")).add(List.of(2, "a"));
    SortedKeys sorted = builder.sorted();
    assertThat(sorted.size()).isEqualTo(3);
    assertThat(sorted.value(0, 0)).isEqualTo(1L);
    assertThat(sorted.value(1, 1)).isEqualTo(new byte[] {'b'});
    assertThatThrownBy(() -> numbers(1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Key 1 is not above the one before it");
  }

  @Test
  void textIsOrderedByCodePoint() {
    // U+FF5E is below U+1F600, whose UTF-16 surrogates are below U+FF5E
    assertThat(compare(Types.StringType.get(), "\uFF5E", "\uD83D\uDE00")).isNegative();
    assertThat(compare(Types.StringType.get(), "z", "é")).isNegative();
  }

  @Test
  void uuidsAreOrderedWithoutSign() {
    assertThat(compare(Types.UUIDType.get(), new UUID(1, -1), new UUID(-1, 0))).isNegative();
    assertThat(compare(Types.UUIDType.get(), new UUID(1, 1), new UUID(1, -1))).isNegative();
  }

  @Test
  void decimalsOfAnyWidthAreOrderedByValue() {
    long seed = 20261130;
    Random random = new Random(seed);
    for (int precision : new int[] {1, 9, 18, 19, 38}) {
      Type type = Types.DecimalType.of(precision, 0);
      List<BigDecimal> values = new ArrayList<>();
      BigInteger limit = BigInteger.TEN.pow(precision);
      for (int i = 0; i < 200; i++) {
        BigInteger any = new BigInteger(1 + random.nextInt(130), random).mod(limit);
        values.add(new BigDecimal(random.nextBoolean() ? any : any.negate()));
      }
      values.add(new BigDecimal(limit.subtract(BigInteger.ONE)));
      values.add(new BigDecimal(limit.subtract(BigInteger.ONE).negate()));
      List<BigDecimal> byForm = new ArrayList<>(values);
      byForm.sort((one, other) -> compare(type, one, other));
      values.sort(Comparator.naturalOrder());
      assertThat(byForm).as("precision %d, seed %d", precision, seed).isEqualTo(values);
    }
  }

  @Test
  void boundsOfNarrowerColumnsAreUnderstood() {
    ByteBuffer narrow = Conversions.toByteBuffer(Types.IntegerType.get(), -7);
    assertThat(KeyForm.bound(Types.LongType.get(), narrow)).isEqualTo(-7L);
    BigDecimal price = new BigDecimal("-12.50");
    ByteBuffer decimal = Conversions.toByteBuffer(Types.DecimalType.of(9, 2), price);
    Type wide = Types.DecimalType.of(30, 2);
    assertThat(KeyForm.bound(wide, decimal)).isEqualTo(KeyForm.encode(wide, price));
  }

  private static int compare(Type type, Object one, Object other) {
    return KeyForm.compare(KeyForm.encode(type, one), KeyForm.encode(type, other));
  }
}
