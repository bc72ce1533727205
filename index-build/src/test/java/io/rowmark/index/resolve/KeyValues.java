package io.rowmark.index.resolve;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Random key values of every type, with the awkward ones among them. */
final class KeyValues {
  private static final List<String> AWKWARD =
      List.of(
          "", "\u0000", "a", "ab", "\uFF5E", "\uD83D\uDE00", "é", "z".repeat(100), "\uDBFF\uDFFF");

  private KeyValues() {}

  /**
   * @param spread about how many different values to draw from
   */
  static Object any(Type type, int spread, Random random) {
    long small = random.nextInt(spread) - spread / 2;
    return switch (type.typeId()) {
      case BOOLEAN -> random.nextBoolean();
      case INTEGER, DATE -> (int) (random.nextInt(50) == 0 ? extreme(random) : small);
      case LONG -> random.nextInt(50) == 0 ? extreme(random) : small * 1_000_003;
      case TIME -> (small + spread) * 1_000;
      case TIMESTAMP, TIMESTAMP_NANO -> small * 1_000_000;
      case STRING -> text(small, random);
      case UUID -> new UUID(small * 0x9E3779B97F4A7C15L, small * 31);
      case FIXED -> bytes(((Types.FixedType) type).length(), small);
      case BINARY -> bytes(random.nextInt(4) == 0 ? 0 : (int) (small & 7) + 1, small);
      case DECIMAL -> decimal((Types.DecimalType) type, small);
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  private static long extreme(Random random) {
    return random.nextBoolean() ? Integer.MAX_VALUE : Integer.MIN_VALUE;
  }

  private static String text(long small, Random random) {
    String awkward = AWKWARD.get(random.nextInt(AWKWARD.size()));
    return switch (random.nextInt(4)) {
      case 0 -> awkward + small;
      case 1 -> "customer-" + "x".repeat(70) + small;
      case 2 -> "" + (char) (0x3b1 + Math.floorMod(small, 20)) + small;
      default -> awkward;
    };
  }

  private static byte[] bytes(int length, long small) {
    byte[] bytes = new byte[length];
    new Random(small).nextBytes(bytes);
    return bytes;
  }

  private static BigDecimal decimal(Types.DecimalType type, long small) {
    BigInteger limit = BigInteger.TEN.pow(type.precision());
    BigInteger wide =
        BigInteger.valueOf(small).pow(5).multiply(new BigInteger("1000000007")).remainder(limit);
    return new BigDecimal(wide, type.scale());
  }
}
