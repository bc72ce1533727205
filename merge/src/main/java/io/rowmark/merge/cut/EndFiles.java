package io.rowmark.merge.cut;

import io.rowmark.merge.normalize.EndReader;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.LandingFolder;
import io.rowmark.merge.source.SeenInputs;
import io.rowmark.merge.source.SideInput;
import io.rowmark.merge.source.TransactionEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The files in which the source tells of the ends of its transactions.
 *
 * @param topic their topic, under which the ledger remembers them
 * @param waiting those with ends that no batch has had, in arrival order
 */
record EndFiles(
    String topic, LandingFolder folder, EndReader reader, SeenInputs seen, List<EndFile> waiting) {
  /** How far back repeated ends are looked for. */
  private static final int MOST_FILES = 1000;

  EndFiles {
    waiting = List.copyOf(waiting);
  }

  /** A file with the ends in it that no batch has had. */
  record EndFile(InputFile file, List<TransactionEnd> ends) {
    EndFile {
      ends = List.copyOf(ends);
    }
  }

  static EndFiles of(String topic, LandingFolder folder, EndReader reader, SeenInputs seen) {
    List<EndFile> waiting = new ArrayList<>();
    for (InputFile file : folder.has(topic) ? folder.list(topic) : List.<InputFile>of()) {
      if (seen.isNew(topic, file)) {
        List<String> rest = seen.heldBack(topic, file);
        waiting.add(
            new EndFile(
                file,
                reader.read(file).stream()
                    .filter(end -> rest.isEmpty() || rest.contains(end.id()))
                    .toList()));
      }
    }
    return new EndFiles(topic, folder, reader, seen, waiting);
  }

  /** The ends in the order of the source. */
  List<TransactionEnd> ends() {
    return waiting.stream().flatMap(file -> file.ends().stream()).toList();
  }

  /** Whether no batch had any of them. */
  boolean areNew() {
    return seen.namesOf(topic).isEmpty();
  }

  /** Names of the transactions whose ends batches had before. */
  Set<String> done() {
    List<InputFile> files =
        folder.list(topic).stream()
            .filter(file -> !seen.isNew(topic, file) || !seen.heldBack(topic, file).isEmpty())
            .toList();
    return files.subList(Math.max(0, files.size() - MOST_FILES), files.size()).stream()
        .flatMap(
            file ->
                reader.read(file).stream()
                    .map(TransactionEnd::id)
                    .filter(id -> !seen.heldBack(topic, file).contains(id)))
        .collect(Collectors.toSet());
  }

  /**
   * What is to be remembered with a batch: of each file the ends that are left.
   *
   * @param taken names of the transactions that the batch takes
   */
  List<SideInput> after(Set<String> taken) {
    List<SideInput> inputs = new ArrayList<>();
    for (EndFile file : waiting) {
      List<String> rest =
          file.ends().stream()
              .map(TransactionEnd::id)
              .filter(id -> !taken.contains(id))
              .distinct()
              .toList();
      if (file.ends().isEmpty() || file.ends().stream().anyMatch(end -> taken.contains(end.id()))) {
        inputs.add(new SideInput(topic, file.file(), rest));
      }
    }
    return inputs;
  }
}
