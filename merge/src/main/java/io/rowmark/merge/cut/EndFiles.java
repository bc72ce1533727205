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
  /** How far back repeated ends are looked for: a source repeats its last ones. */
  private static final int MOST_FILES = 200;

  EndFiles {
    waiting = List.copyOf(waiting);
  }

  /**
   * A file with the ends in it that no batch has had.
   *
   * @param state whether a batch has seen it
   */
  record EndFile(InputFile file, List<TransactionEnd> ends, State state) {
    EndFile {
      ends = List.copyOf(ends);
    }
  }

  /** What earlier batches made of a file. */
  enum State {
    NEW,
    /** Its ends have waited for a batch. */
    BEGUN
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
                    .toList(),
                rest.isEmpty() ? State.NEW : State.BEGUN));
      }
    }
    return new EndFiles(topic, folder, reader, seen, waiting);
  }

  /** The ends in the order of the source. */
  List<TransactionEnd> ends() {
    return waiting.stream().flatMap(file -> file.ends().stream()).toList();
  }

  /** Names of the transactions whose ends have waited for a batch. */
  Set<String> begun() {
    return waiting.stream()
        .filter(file -> file.state() == State.BEGUN)
        .flatMap(file -> file.ends().stream())
        .map(TransactionEnd::id)
        .collect(Collectors.toSet());
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
   * What is to be remembered with a batch: of each file the ends that are left. Nothing before the
   * first end that a batch takes, so that {@link #areNew} tells.
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
      if (file.state() == State.NEW || rest.size() < file.ends().size()) {
        inputs.add(new SideInput(topic, file.file(), rest));
      }
    }
    return areNew() && taken.isEmpty() ? List.of() : inputs;
  }
}
