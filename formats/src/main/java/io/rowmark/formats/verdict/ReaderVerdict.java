package io.rowmark.formats.verdict;

import io.rowmark.formats.capability.DeclaredReader;
import java.util.List;

/**
 * The verdict on one reader.
 *
 * @param heldTo engine and version of the capability row that it was held to
 * @param verdict the decisive one
 * @param others what else stands in its way, in case the decisive cause is removed; worst first
 */
public record ReaderVerdict(
    DeclaredReader reader, String heldTo, Verdict verdict, List<Verdict> others) {
  public ReaderVerdict {
    others = List.copyOf(others);
  }
}
