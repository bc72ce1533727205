package io.rowmark.merge.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.merge.spec.BatchSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class TestBatchFill {
  private static final LongUnaryOperator NOT_ASKED =
      enough -> {
        throw new AssertionError("records were counted");
      };

  private static LongUnaryOperator records(long count) {
    return enough -> count;
  }

  @Test
  void recordsAreNotCountedWithoutALimitOfThem() {
    BatchFill fill = new BatchFill(new BatchSpec(2, 100, 0));

    assertThat(fill.take(1, NOT_ASKED)).isTrue();
    assertThat(fill.take(1, NOT_ASKED)).isTrue();
    assertThat(fill.take(1, NOT_ASKED)).as("third of two").isFalse();
  }

  @Test
  void recordsAreNotCountedOfAnInputThatOtherLimitsLeave() {
    BatchFill fill = new BatchFill(new BatchSpec(10, 100, 10, 0));

    assertThat(fill.take(99, records(1))).isTrue();
    assertThat(fill.take(2, NOT_ASKED)).isFalse();
  }

  @Test
  void inputsAreTakenWhileTheirRecordsStayWithinTheLimit() {
    BatchFill fill = new BatchFill(new BatchSpec(10, 100, 10, 0));

    assertThat(fill.take(1, records(4))).isTrue();
    assertThat(fill.take(1, records(6))).as("just full").isTrue();
    assertThat(fill.take(1, NOT_ASKED)).isFalse();
  }

  @Test
  void anInputThatWouldGoOverTheLimitIsLeft() {
    BatchFill fill = new BatchFill(new BatchSpec(10, 100, 10, 0));

    assertThat(fill.take(1, records(4))).isTrue();
    assertThat(fill.take(1, records(7))).isFalse();
  }

  @Test
  void oneInputIsTakenHoweverLargeItIs() {
    BatchFill fill = new BatchFill(new BatchSpec(10, 100, 10, 0));

    assertThat(fill.take(1000, records(1000))).isTrue();
    assertThat(fill.take(1, NOT_ASKED)).isFalse();
  }

  @Test
  void countingEndsOneRecordAboveWhatIsLeft() {
    BatchFill fill = new BatchFill(new BatchSpec(10, 100, 10, 0));
    List<Long> asked = new ArrayList<>();
    LongUnaryOperator three =
        enough -> {
          asked.add(enough);
          return 3;
        };

    fill.take(1, three);
    fill.take(1, three);
    fill.take(1, three);

    assertThat(asked).containsExactly(11L, 8L, 5L);
  }
}
