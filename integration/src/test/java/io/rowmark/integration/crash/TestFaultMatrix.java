package io.rowmark.integration.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.integration.crash.FaultyProxy.Fault;
import io.rowmark.integration.crash.FaultyProxy.Target;
import io.rowmark.merge.spec.CommitSpec.Mode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Each request of a batch to its catalog meets each fault, under both commit protocols. */
class TestFaultMatrix {
  /** What can happen to a request that only reads; more would be the same to the client. */
  private static final Set<Fault> OF_READS =
      EnumSet.of(
          Fault.REQUEST_LOST,
          Fault.ANSWER_CUT,
          Fault.SILENCE,
          Fault.TOO_MANY,
          Fault.BROKEN,
          Fault.UNAVAILABLE);

  /** A request that is held back arrives after everything else; other tests let it. */
  private static final Set<Fault> ALL = EnumSet.complementOf(EnumSet.of(Fault.REQUEST_LATE));

  @TempDir private static Path folder;
  private static final List<FaultRun> RUNS = new ArrayList<>();

  @AfterAll
  static void stop() {
    RUNS.forEach(FaultRun::close);
  }

  /**
   * What would be made twice or lost if a conflict with oneself were taken for one with others; of
   * the atomic protocol {@link TestCommitFaults} tells.
   */
  @TestFactory
  Stream<DynamicNode> orderedCommitsThatAreRepeatedOnTheirWayLandOnce() {
    FaultRun run = start(Mode.ORDERED, "repeated");
    return run.requests().stream()
        .filter(TestFaultMatrix::isCommit)
        // intent, rows, entries and end of the first table
        .limit(4)
        .map(target -> node(run, target, Fault.REPEATED));
  }

  @Tag("long")
  @TestFactory
  Stream<DynamicNode> everyRequestOfAnAtomicBatchMeetsEveryFault() {
    return ALL.stream().map(fault -> container(Mode.ATOMIC, fault));
  }

  @Tag("long")
  @TestFactory
  Stream<DynamicNode> everyRequestOfAnOrderedBatchMeetsEveryFault() {
    return ALL.stream().map(fault -> container(Mode.ORDERED, fault));
  }

  private static DynamicNode container(Mode mode, Fault fault) {
    // tables of its own: a batch's requests change when files have become many
    FaultRun run = start(mode, fault.name());
    Stream<DynamicNode> cases =
        run.requests().stream()
            .filter(target -> isCommit(target) || OF_READS.contains(fault))
            .map(target -> node(run, target, fault));
    return DynamicContainer.dynamicContainer(
        mode + " " + fault,
        Stream.concat(cases, Stream.of(DynamicTest.dynamicTest("at rest", run::assertAtRest))));
  }

  private static boolean isCommit(Target target) {
    return target.request().method().equals("POST");
  }

  private static DynamicNode node(FaultRun run, Target target, Fault fault) {
    return DynamicTest.dynamicTest(target + ": " + fault, () -> run.suffer(target, fault));
  }

  private static FaultRun start(Mode mode, String name) {
    try {
      FaultRun run = FaultRun.start(folder.resolve(mode + "-" + name), mode);
      assertThat(run.requests()).as("requests of a batch").isNotEmpty();
      RUNS.add(run);
      return run;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
