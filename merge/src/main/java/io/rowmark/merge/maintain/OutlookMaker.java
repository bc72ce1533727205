package io.rowmark.merge.maintain;

import io.rowmark.formats.index.VersionColumns;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.formats.upkeep.FileDebt;
import io.rowmark.formats.upkeep.ReadLoad;
import io.rowmark.index.compact.MergeChoice;
import io.rowmark.index.rewrite.FileGroup;
import io.rowmark.index.rewrite.RewritePlan;
import io.rowmark.index.rewrite.RewriteRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;

/** Says what is to be done to a table, from its manifests. */
final class OutlookMaker {
  private final MaintainSpec spec;
  private final MaintainRequest request;
  private final ExpiryFloor floor;
  private final SnapshotExpiry expiry;
  private final List<TableLoad> loads = new ArrayList<>();
  private final List<PlannedStep> steps = new ArrayList<>();
  private final List<ExpiryPlan> expiries = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  OutlookMaker(MaintainSpec spec, MaintainRequest request, ExpiryFloor floor) {
    this.spec = spec;
    this.request = request;
    this.floor = floor;
    this.expiry = new SnapshotExpiry(spec, request.now());
  }

  static RewriteRules rules(MaintainSpec spec, MaintainRequest request) {
    return new RewriteRules(spec.smallFiles(), spec.deadShare(), request.maxBytes());
  }

  MaintainOutlook of(TableView view) {
    data(view);
    view.index().ifPresent(index -> index(view.names().index().toString(), index));
    if (request.wants(MaintainTask.EXPIRE)) {
      expire(view.name(), view.data(), floor.ofData(view.names().data(), view.data()));
      view.index()
          .ifPresent(
              index -> expire(view.names().index().toString(), index, ExpiryFloor.ofIndex(index)));
    }
    return outlook(view.name(), view.data());
  }

  MaintainOutlook ofLedger(String name, Table ledger) {
    ReadLoad now = load(ledger);
    Optional<MergeChoice> choice =
        request.wants(MaintainTask.LEDGER)
            ? IndexUpkeep.choiceOfLedger(ledger, spec)
            : Optional.empty();
    merge(name, ledger, now, choice);
    if (request.wants(MaintainTask.EXPIRE)) {
      expire(name, ledger, ExpiryFloor.ofLedger(ledger));
    }
    return outlook(name, ledger);
  }

  private MaintainOutlook outlook(String name, Table table) {
    return new MaintainOutlook(name, TableUtil.formatVersion(table), loads, steps, expiries, notes);
  }

  private static ReadLoad load(Table table) {
    return ReadLoad.of(LiveFiles.at(table, table.currentSnapshot()).all());
  }

  private void data(TableView view) {
    ReadLoad now = load(view.data());
    if (!request.wants(MaintainTask.FILES)) {
      loads.add(new TableLoad(view.name(), now, now));
      return;
    }
    RewritePlan plan = RewritePlan.of(view.data(), OutlookMaker.rules(spec, request));
    if (plan.hasWaste()) {
      steps.add(
          new PlannedStep(
              StepKind.DROP,
              view.name(),
              1,
              plan.dead().size(),
              0,
              bytes(plan.dead()),
              plan.dead().stream().mapToLong(live -> FileDebt.of(live).dead()).sum(),
              plan.needless()));
    }
    boolean history = VersionColumns.of(view.data().properties()).isPresent();
    if (history && view.index().isPresent()) {
      notes.add("data files are not rewritten: the index of a history cannot follow moved rows");
      List<LiveFile> rest = new ArrayList<>(plan.kept());
      plan.groups().forEach(group -> rest.addAll(group.files()));
      loads.add(new TableLoad(view.name(), now, ReadLoad.of(rest)));
      return;
    }
    loads.add(new TableLoad(view.name(), now, plan.predicted()));
    if (!plan.groups().isEmpty()) {
      steps.add(rewrite(view.name(), plan.groups()));
    }
  }

  private PlannedStep rewrite(String name, List<FileGroup> groups) {
    long bytes = groups.stream().mapToLong(FileGroup::bytes).sum();
    List<LiveFile> files = groups.stream().flatMap(group -> group.files().stream()).toList();
    ReadLoad load = ReadLoad.of(files);
    return new PlannedStep(
        StepKind.REWRITE,
        name,
        (int) Math.max(1, Math.min(groups.size(), bytes / Math.max(1, request.maxBytes()))),
        files.size(),
        groups.stream().mapToLong(FileGroup::outputs).sum(),
        bytes,
        load.deadRows(),
        load.deleteFiles());
  }

  private static long bytes(List<LiveFile> files) {
    return files.stream().mapToLong(live -> live.file().fileSizeInBytes()).sum();
  }

  private void index(String name, Table index) {
    Optional<MergeChoice> choice =
        request.wants(MaintainTask.INDEX) ? IndexUpkeep.choice(index, spec) : Optional.empty();
    merge(name, index, load(index), choice);
  }

  private void merge(String name, Table table, ReadLoad now, Optional<MergeChoice> choice) {
    if (choice.isEmpty()) {
      loads.add(new TableLoad(name, now, now));
      return;
    }
    MergeChoice merge = choice.get();
    List<LiveFile> rest = new ArrayList<>();
    List<LiveFile> merged = new ArrayList<>();
    LiveFiles.at(table, table.currentSnapshot())
        .all()
        .forEach(live -> (merge.takes(live) ? merged : rest).add(live));
    ReadLoad taken = ReadLoad.of(merged);
    loads.add(
        new TableLoad(
            name,
            now,
            ReadLoad.of(rest)
                .plus(ReadLoad.clean(merge.outputs(), taken.liveBytes(), taken.liveRows()))));
    steps.add(
        new PlannedStep(
            StepKind.MERGE,
            name,
            1,
            merge.files(),
            merge.outputs(),
            merge.bytes(),
            taken.deadRows(),
            taken.deleteFiles()));
  }

  private void expire(String name, Table table, List<ExpiryFloor.Needed> needed) {
    expiries.add(expiry.plan(name, table, needed));
  }
}
