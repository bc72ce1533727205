package io.rowmark.formats.`type`

import java.math.{BigDecimal => JBigDecimal}
import java.math.{BigInteger => JBigInteger}
import java.time.Instant
import java.time.LocalDateTime
import java.time.ZoneOffset
import java.time.temporal.ChronoUnit
import java.util.Base64

import org.apache.iceberg.types.Type
import org.apache.iceberg.types.Types
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** What was written as a source writes it is read back equal, or refused; never changed. */
class ValueDecoderSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 500)

  private val firstMicro = -62135596800000000L
  private val lastMicro = 253402300799999999L
  private val micros = Gen.chooseNum(firstMicro, lastMicro, -1L, 0L, 1L)
  private val longs = Gen.chooseNum(Long.MinValue, Long.MaxValue, -1L, 0L, (1L << 53) + 1)

  private val decimals: Gen[(Int, Int, JBigDecimal)] = for {
    precision <- Gen.choose(1, 38)
    scale <- Gen.choose(0, precision)
    digits <- Gen.choose(1, precision)
    text <- Gen.listOfN(digits, Gen.numChar).map(_.mkString)
    negative <- Gen.oneOf(true, false)
  } yield {
    val unscaled = new JBigInteger(text)
    (precision, scale, new JBigDecimal(if (negative) unscaled.negate else unscaled, scale))
  }

  private def decode(source: String, target: Type, value: Any): AnyRef =
    ValueDecoder.decoder("c", SourceTypes.parse(source), target).decode(value.asInstanceOf[AnyRef])

  private def base64(bytes: Array[Byte]): String = Base64.getEncoder.encodeToString(bytes)

  test("a decimal survives base64, with any number of leading sign bytes") {
    forAll(decimals, Gen.choose(0, 5)) { case ((precision, scale, value), padding) =>
      val sign = (if (value.signum < 0) -1 else 0).toByte
      val bytes = Array.fill(padding)(sign) ++ value.unscaledValue.toByteArray
      val column = Types.DecimalType.of(precision, scale)
      assert(decode(s"decimal($precision,$scale)", column, base64(bytes)) == value)
    }
  }

  test("a decimal survives plain and exponent text") {
    forAll(decimals) { case (precision, scale, value) =>
      val column = Types.DecimalType.of(precision, scale)
      val source = s"decimal-text($precision,$scale)"
      assert(decode(source, column, value.toPlainString) == value)
      assert(decode(source, column, value.toString) == value)
      assert(decode(source, column, value.toEngineeringString) == value)
    }
  }

  test("a decimal for a column of any other shape is equal or refused") {
    forAll(decimals, decimals) { case ((precision, scale, value), (toPrecision, toScale, _)) =>
      val column = Types.DecimalType.of(toPrecision, toScale)
      try {
        val stored = decode(s"decimal-text($precision,$scale)", column, value.toString)
          .asInstanceOf[JBigDecimal]
        assert(stored.compareTo(value) == 0)
        assert(stored.scale == toScale && stored.precision <= toPrecision)
      } catch {
        case refused: ValueRejected =>
          val bare = value.stripTrailingZeros
          val wholeDigits = bare.precision - bare.scale
          assert(bare.scale > toScale || wholeDigits > toPrecision - toScale, refused.code)
      }
    }
  }

  test("a wall clock of any microsecond of the years 1 to 9999 survives") {
    forAll(micros) { value =>
      val read = decode("timestamp-micros", Types.TimestampType.withoutZone, value)
        .asInstanceOf[LocalDateTime]
      val instant = read.toInstant(ZoneOffset.UTC)
      assert(instant.getEpochSecond * 1000000L + instant.getNano / 1000 == value)
    }
  }

  test("an instant survives under any offset") {
    forAll(micros, Gen.choose(-18 * 60, 18 * 60)) { (value, minutes) =>
      val instant = Instant.EPOCH.plus(value, ChronoUnit.MICROS)
      val text = instant.atOffset(ZoneOffset.ofTotalSeconds(minutes * 60)).toString
      assert(decode("zoned-timestamp", Types.TimestampType.withZone, text) == instant)
    }
  }

  test("any other number of micros is refused") {
    val outside = Gen.oneOf(
      Gen.choose(Long.MinValue, firstMicro - 1),
      Gen.choose(lastMicro + 1, Long.MaxValue)
    )
    forAll(outside) { value =>
      val refused = intercept[ValueRejected](
        decode("timestamp-micros", Types.TimestampType.withoutZone, value)
      )
      assert(refused.code.text == "timestamp-out-of-range")
    }
  }

  test("any long survives, and never changes on its way into a double") {
    forAll(longs) { value =>
      assert(decode("long", Types.LongType.get, value) == value)
      try {
        val stored = decode("long", Types.DoubleType.get, value).asInstanceOf[Double]
        assert(new JBigDecimal(stored).compareTo(new JBigDecimal(value)) == 0)
      } catch {
        case refused: ValueRejected => assert(refused.code.text == "type-overflow")
      }
    }
  }

  test("any float and double survives its shortest text") {
    forAll { (single: Float, double: Double) =>
      val text = new JBigDecimal(java.lang.Float.toString(single))
      if (single != 0) assert(decode("float", Types.FloatType.get, text) == single)
      if (double != 0) {
        val exact = new JBigDecimal(java.lang.Double.toString(double))
        assert(decode("double", Types.DoubleType.get, exact) == double)
      }
    }
  }

  test("any bytes survive") {
    forAll { (bytes: Array[Byte]) =>
      val read = decode("bytes", Types.BinaryType.get, base64(bytes)).asInstanceOf[Array[Byte]]
      assert(read.sameElements(bytes))
    }
  }

  test("the texts of times sort as the times do") {
    val times = Gen.choose(0L, 86400000000L)
    forAll(times, times) { (one, other) =>
      def text(micros: Long) =
        decode("time-micros", Types.StringType.get, micros).asInstanceOf[String]
      assert(text(one).compareTo(text(other)).sign == one.compareTo(other).sign)
    }
  }
}
