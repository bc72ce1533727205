package io.rowmark.integration.live;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server in a folder of its own, on a free port of the loopback interface, set up for
 * logical decoding. It ends and leaves nothing behind when it is closed.
 *
 * @param binaries folder of PostgreSQL's programs
 * @param folder of data, socket and log
 */
record PostgresServer(Path binaries, Path folder, int port) implements AutoCloseable {
  static final String USER = "postgres";
  static final String DATABASE = "live";

  private static final List<String> PROGRAMS = List.of("initdb", "pg_ctl", "createdb", "pgbench");
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final int PROGRAM_SECONDS = 120;

  /**
   * Where PostgreSQL's programs are: in the folder that {@code ROWMARK_TEST_POSTGRES} names, on the
   * PATH, or where Debian has them. Empty when there is none.
   */
  static Optional<Path> installed() {
    List<Path> places = new ArrayList<>();
    String named = System.getenv("ROWMARK_TEST_POSTGRES");
    if (named != null) {
      places.add(Path.of(named));
    } else {
      for (String place : System.getenv("PATH").split(File.pathSeparator)) {
        places.add(Path.of(place));
      }
      places.addAll(debianVersions());
    }
    return places.stream()
        .filter(
            place -> PROGRAMS.stream().allMatch(name -> Files.isExecutable(place.resolve(name))))
        .findFirst();
  }

  private static List<Path> debianVersions() {
    if (!Files.isDirectory(DEBIAN)) {
      return List.of();
    }
    try (Stream<Path> versions = Files.list(DEBIAN)) {
      return versions
          .sorted(Comparator.comparingInt(PostgresServer::version).reversed())
          .map(version -> version.resolve("bin"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int version(Path folder) {
    String name = folder.getFileName().toString();
    return name.matches("\\d+") ? Integer.parseInt(name) : 0;
  }

  /** Makes a cluster with an empty database and starts it. */
  static PostgresServer start(Path binaries) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("rowmark-postgres");
    PostgresServer server = new PostgresServer(binaries, folder, freePort());
    if (isRoot()) {
      Files.setOwner(folder, owner(folder));
    }
    String data = folder.resolve("data").toString();
    server.asOwner("initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync");
    Path settings = folder.resolve("data/postgresql.conf");
    Files.writeString(
        settings,
        Files.readString(settings)
            + """

            listen_addresses = '127.0.0.1'
            port = %d
            unix_socket_directories = '%s'
            wal_level = logical
            fsync = off
            timezone = 'UTC'
            """
                .formatted(server.port, folder));
    String log = folder.resolve("log").toString();
    server.asOwner("pg_ctl", "-D", data, "-l", log, "-w", "start");
    // it would outlive a test that is cut off
    Runtime.getRuntime().addShutdownHook(new Thread(server::endWithTests));
    server.client("createdb");
    return server;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** PostgreSQL refuses to run as root. */
  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static UserPrincipal owner(Path folder) throws IOException {
    try {
      return folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER);
    } catch (UserPrincipalNotFoundException e) {
      throw new AssertionError(
          "PostgreSQL does not run as root, and there is no user 'postgres' to run it as.", e);
    }
  }

  private void asOwner(String program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("runuser", "-u", USER, "--"));
    }
    command.add(binaries.resolve(program).toString());
    command.addAll(List.of(arguments));
    run(command);
  }

  /** Runs a client program of PostgreSQL on the database, to its end; gives what it said. */
  String client(String program, String... arguments) throws IOException, InterruptedException {
    return run(clientCommand(program, arguments));
  }

  private List<String> clientCommand(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(binaries.resolve(program).toString());
    command.addAll(List.of("-h", "127.0.0.1", "-p", "" + port, "-U", USER));
    command.addAll(List.of(arguments));
    command.add(DATABASE);
    return command;
  }

  /** Starts a client program of PostgreSQL on the database. */
  Process start(Path output, String program, String... arguments) throws IOException {
    return new ProcessBuilder(clientCommand(program, arguments))
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("rowmark-postgres", ".out");
    Process process =
        new ProcessBuilder(command)
            // a folder that every user may enter
            .directory(new File("/"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(PROGRAM_SECONDS, TimeUnit.SECONDS);
    String said = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
    Files.delete(output);
    if (!ended) {
      process.destroyForcibly();
      throw new AssertionError("%s did not end in time:\n%s".formatted(command, said));
    }
    if (process.exitValue() != 0) {
      throw new AssertionError("%s failed:\n%s".formatted(command, said));
    }
    return said;
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, DATABASE), USER, "");
  }

  /** Executes statements, one transaction each. */
  void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }

  private void endWithTests() {
    if (Files.exists(folder)) {
      try {
        close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    asOwner("pg_ctl", "-D", folder.resolve("data").toString(), "-m", "immediate", "-w", "stop");
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
