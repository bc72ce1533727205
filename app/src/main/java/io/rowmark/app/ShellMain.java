package io.rowmark.app;

/**
 * The entry for {@code bin/rowmark}, where the virtual machine is ours and its exit code counts.
 */
public final class ShellMain {
  private ShellMain() {}

  public static void main(String[] args) {
    System.exit(Main.run(Main.writer(System.out), Main.writer(System.err), args));
  }
}
