package io.rowmark.merge.cut;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.Wishes;
import io.rowmark.merge.cut.CompleteTransactions.Waiting;
import io.rowmark.merge.record.TransactionMark;
import io.rowmark.merge.source.InputMarks;
import io.rowmark.merge.source.TransactionEnd;
import io.rowmark.merge.spec.ReadersSpec;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import io.rowmark.merge.spec.TableSpec.Mode;
import io.rowmark.merge.spec.TableSpec.SchemaPolicy;
import io.rowmark.merge.spec.TableSpec.TruncatePolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which transactions are complete, by the changes that wait. */
class TestCompleteTransactions {
  private static Waiting waiting(String topic, TableFeed feed, TransactionMark... marks) {
    InputMarks all = new InputMarks();
    List.of(marks).forEach(all::add);
    TableSpec table =
        new TableSpec(
            topic,
            "lake." + topic.replace('.', '_'),
            Mode.KEYED,
            List.of("id"),
            Map.of(),
            List.of(),
            Map.of(),
            SchemaPolicy.EVOLVE,
            TruncatePolicy.APPLY,
            feed,
            new ReadersSpec(
                Audience.of(List.of("spark"), List.of(), CapabilityData.bundled()), Wishes.NONE));
    return new Waiting(table, all);
  }

  private static TransactionMark mark(String transaction, long number, String table) {
    return new TransactionMark(transaction, number, null, table);
  }

  private static TransactionEnd end(String id, String table, long changes) {
    return new TransactionEnd(id, Map.of(table, changes));
  }

  private static CompleteTransactions of(List<TransactionEnd> ends, Waiting... tables) {
    return CompleteTransactions.of(ends, List.of(tables), id -> false);
  }

  @Test
  void thoseAfterTheFirstThatLacksAChangeWaitThoughTheyAreComplete() {
    Waiting orders =
        waiting(
            "shop.public.orders",
            TableFeed.WHOLE_TOPIC,
            mark("1", 1, ".shop.public.orders"),
            mark("2", 1, ".shop.public.orders"),
            mark("3", 1, ".shop.public.orders"));

    CompleteTransactions complete =
        of(
            List.of(
                end("1", "public.orders", 1),
                end("2", "public.orders", 2),
                end("3", "public.orders", 1)),
            orders);

    assertThat(complete.ids()).containsExactly("1");
    assertThat(complete.blocked())
        .hasToString("transaction 2 has 1 of its 2 changes of public.orders");
  }

  @Test
  void aChangeThatCameTwiceDoesNotStandForOneThatIsMissing() {
    Waiting orders =
        waiting(
            "shop.public.orders",
            TableFeed.WHOLE_TOPIC,
            mark("1", 2, ".shop.public.orders"),
            mark("1", 2, ".shop.public.orders"));

    assertThat(of(List.of(end("1", "public.orders", 2)), orders).ids()).isEmpty();
  }

  @Test
  void changesWithoutNumbersAreCounted() {
    Waiting orders =
        waiting("shop.public.orders", TableFeed.WHOLE_TOPIC, mark("1", 0, ""), mark("1", 0, ""));

    assertThat(of(List.of(end("1", "public.orders", 2)), orders).ids()).containsExactly("1");
  }

  @Test
  void tablesThatNoTopicOfThePipelineIsOfDoNotMatter() {
    Waiting orders = waiting("shop.public.orders", TableFeed.WHOLE_TOPIC);

    assertThat(
            of(List.of(end("1", "public.reorders", 3), end("2", "audit.orders", 1)), orders).ids())
        .isEqualTo(Set.of("1", "2"));
  }

  @Test
  void aRenamedTopicIsKnownByTheTableThatItsRecordsName() {
    Waiting orders =
        waiting("purchases", TableFeed.WHOLE_TOPIC, mark("1", 1, ".shop.public.orders"));

    assertThat(of(List.of(end("1", "public.orders", 2)), orders).blocked()).isNotNull();
  }

  @Test
  void aTopicOfManyTablesIsKnownByTheConfiguredOne() {
    Waiting shelf =
        waiting(
            "everything", new TableFeed("store.shelf", List.of()), mark("7", 1, ".d.store.shelf"));

    assertThat(of(List.of(end("7", "d.store.shelf", 1), end("8", "d.store.rack", 1)), shelf).ids())
        .containsExactlyInAnyOrder("7", "8");
    assertThat(of(List.of(end("9", "d.store.shelf", 1)), shelf).ids()).isEmpty();
  }

  @Test
  void onlyTransactionsThatLackChangesAreAskedFor() {
    Waiting orders =
        waiting("shop.public.orders", TableFeed.WHOLE_TOPIC, mark("1", 1, ".shop.public.orders"));

    CompleteTransactions complete =
        CompleteTransactions.of(
            List.of(end("1", "public.orders", 1), end("2", "public.orders", 1)),
            List.of(orders),
            id -> {
              assertThat(id).isEqualTo("2");
              return true;
            });

    assertThat(complete.ids()).containsExactlyInAnyOrder("1", "2");
    assertThat(complete.blocked()).isNull();
  }
}
