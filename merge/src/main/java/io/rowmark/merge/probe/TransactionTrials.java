package io.rowmark.merge.probe;

import static io.rowmark.merge.probe.Trial.no;
import static io.rowmark.merge.probe.Trial.notTried;
import static io.rowmark.merge.probe.Trial.unknown;
import static io.rowmark.merge.probe.Trial.wrong;
import static io.rowmark.merge.probe.Trial.yes;

import io.rowmark.merge.probe.Finding.Verdict;
import io.rowmark.merge.probe.Trial.Seen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateRequirements;
import org.apache.iceberg.catalog.ImmutableTableCommit;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.rest.RESTCatalog;

/** The multi-table commit of a REST catalog. */
record TransactionTrials(RESTCatalog catalog, ScratchTables scratch) {

  List<Finding> run() {
    List<Finding> findings = new ArrayList<>();
    findings.add(
        Trial.observe(Experiment.ENDPOINT, new ServerEndpoints(catalog)::offersMultiTableCommit));
    Finding both = Trial.observe(Experiment.MULTI_TABLE_COMMIT, this::both);
    findings.add(both);
    if (both.verdict() != Verdict.YES) {
      for (Experiment rest :
          List.of(
              Experiment.STALE_MEMBER, Experiment.CONCURRENT_COMMITS, Experiment.STAGED_CREATE)) {
        findings.add(Trial.observe(rest, () -> notTried("the multi-table commit did not work")));
      }
      return findings;
    }
    findings.add(Trial.observe(Experiment.STALE_MEMBER, this::staleMember));
    findings.add(
        Trial.observe(
            Experiment.CONCURRENT_COMMITS,
            () -> new ConcurrentPairs(catalog, scratch, seeded("c"), seeded("d")).run()));
    findings.add(Trial.observe(Experiment.STAGED_CREATE, this::stagedCreate));
    return findings;
  }

  /** A table with one file: some servers check nothing on a table without a snapshot. */
  private TableIdentifier seeded(String purpose) throws IOException {
    TableIdentifier name = scratch.create(purpose, 2);
    StagedAppend.on(scratch, name).swap();
    return name;
  }

  private Seen both() throws IOException {
    StagedAppend left = StagedAppend.on(scratch, seeded("a"));
    StagedAppend right = StagedAppend.on(scratch, seeded("b"));
    catalog.commitTransaction(List.of(left.member(), right.member()));
    int applied = applied(left, right);
    return applied == 2
        ? yes("both tables have their change")
        : wrong("success was reported, and %d of 2 tables have their change".formatted(applied));
  }

  private int applied(StagedAppend... appends) {
    int applied = 0;
    for (StagedAppend append : appends) {
      applied += append.isIn(scratch) ? 1 : 0;
    }
    return applied;
  }

  /** The stale table first, then last: a server that goes table by table fails one of the two. */
  private Seen staleMember() throws IOException {
    Seen first = staleMember("first", List.of(1, 0));
    return first.verdict() == Verdict.YES ? staleMember("last", List.of(0, 1)) : first;
  }

  private Seen staleMember(String where, List<Integer> order) throws IOException {
    StagedAppend fresh = StagedAppend.on(scratch, seeded("fresh_" + where));
    StagedAppend stale = StagedAppend.on(scratch, seeded("stale_" + where));
    StagedAppend.on(scratch, stale.name()).swap();
    List<TableCommit> members = List.of(fresh.member(), stale.member());
    String answer;
    try {
      catalog.commitTransaction(order.stream().map(members::get).toList());
      answer = "accepted";
    } catch (CommitFailedException e) {
      answer = "refused";
    } catch (RuntimeException e) {
      answer = "answered " + Trial.answer(e);
    }
    boolean freshThere = fresh.isIn(scratch);
    boolean staleThere = stale.isIn(scratch);
    String seen =
        "stale table %s: %s, and the other table %s, the stale one %s"
            .formatted(where, answer, changed(freshThere), changed(staleThere));
    if (answer.equals("accepted") || freshThere || staleThere) {
      return wrong(seen);
    }
    return answer.equals("refused")
        ? yes("refused as a conflict, and neither table changed, stale one first or last")
        : unknown(seen);
  }

  private static String changed(boolean there) {
    return there ? "changed" : "did not change";
  }

  private Seen stagedCreate() throws IOException {
    StagedAppend beside = StagedAppend.on(scratch, seeded("beside_create"));
    TableIdentifier created = scratch.name("staged");
    BaseTransaction create =
        (BaseTransaction) catalog.buildTable(created, ScratchTables.SCHEMA).createTransaction();
    String answer;
    try {
      catalog.commitTransaction(List.of(creation(created, create), beside.member()));
      answer = "accepted";
    } catch (RuntimeException e) {
      answer = "refused (" + Trial.answer(e) + ")";
    }
    boolean besideThere = beside.isIn(scratch);
    boolean createdThere = scratch.exists(created);
    if (besideThere != createdThere) {
      return wrong(
          "%s, and the new table %s, the other table %s"
              .formatted(answer, createdThere ? "exists" : "does not", changed(besideThere)));
    } else if (answer.equals("accepted") != createdThere) {
      return wrong(answer + ", and " + (createdThere ? "both happened" : "neither happened"));
    }
    return createdThere ? yes("created, with the other table's change") : no(answer);
  }

  /** What a create of Iceberg's REST client sends; it has no public maker of such a member. */
  private static TableCommit creation(TableIdentifier name, BaseTransaction create) {
    TableMetadata table = create.currentMetadata();
    List<MetadataUpdate> updates =
        List.of(
            new MetadataUpdate.AssignUUID(table.uuid()),
            new MetadataUpdate.UpgradeFormatVersion(table.formatVersion()),
            new MetadataUpdate.AddSchema(table.schema()),
            new MetadataUpdate.SetCurrentSchema(-1),
            new MetadataUpdate.AddPartitionSpec(table.spec()),
            new MetadataUpdate.SetDefaultPartitionSpec(-1),
            new MetadataUpdate.AddSortOrder(table.sortOrder()),
            new MetadataUpdate.SetDefaultSortOrder(-1),
            new MetadataUpdate.SetLocation(table.location()),
            new MetadataUpdate.SetProperties(table.properties()));
    return ImmutableTableCommit.builder()
        .identifier(name)
        .requirements(UpdateRequirements.forCreateTable(updates))
        .updates(updates)
        .build();
  }
}
