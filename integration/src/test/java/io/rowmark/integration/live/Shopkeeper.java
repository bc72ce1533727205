package io.rowmark.integration.live;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Transactions over two tables with a foreign key, orders and their lines, chosen by seed. After
 * each of them every line has its order, and the total of an order is the sum of its lines.
 */
final class Shopkeeper implements Callable<Map<String, Integer>> {
  static final List<String> TABLES =
      List.of(
          """
          CREATE TABLE orders (
            id bigint PRIMARY KEY,
            customer text NOT NULL,
            total numeric(12,2) NOT NULL,
            placed timestamptz NOT NULL,
            note text)
          """,
          """
          CREATE TABLE order_lines (
            order_id bigint NOT NULL REFERENCES orders,
            line int NOT NULL,
            sku text NOT NULL,
            quantity int NOT NULL,
            price numeric(10,2) NOT NULL,
            PRIMARY KEY (order_id, line))
          """,
          "CREATE TABLE remarks (id bigserial PRIMARY KEY, remark text NOT NULL)");

  private static final int KEEPERS = 2;
  private static final int MOST_LINES = 5;
  private static final int LONG_NOTE = 6_400;
  private static final OffsetDateTime OPENING =
      OffsetDateTime.of(2026, 11, 30, 8, 0, 0, 0, ZoneOffset.UTC);

  private final PostgresServer server;
  private final Random random;
  private final AtomicBoolean open;
  private final List<Long> orders = new ArrayList<>();
  private final Map<String, Integer> done = new HashMap<>();
  private long next;

  /**
   * @param number 0 or 1; keepers of different numbers work on different orders
   * @param open until when to go on
   */
  Shopkeeper(PostgresServer server, int number, AtomicBoolean open) {
    this.server = server;
    this.random = new Random(1_000 + number);
    this.open = open;
    this.next = number;
  }

  /** What is done in one transaction. */
  private enum Deed {
    PLACE(30),
    CANCEL(15),
    AMEND(20),
    REPLACE(15),
    MOVE_LINE(10),
    PLACE_SLOWLY(3),
    PLACE_MANY(1),
    CHANGE_OF_MIND(3),
    HALF_A_CHANGE_OF_MIND(2),
    REMARK(1);

    private final int weight;

    Deed(int weight) {
      this.weight = weight;
    }

    static Deed choose(Random random) {
      int left = random.nextInt(100);
      for (Deed deed : values()) {
        left -= deed.weight;
        if (left < 0) {
          return deed;
        }
      }
      throw new IllegalStateException("weights do not make 100");
    }
  }

  /**
   * @return how many transactions of each kind there were
   */
  @Override
  public Map<String, Integer> call() throws SQLException {
    try (Connection connection = server.connect()) {
      connection.setAutoCommit(false);
      while (open.get()) {
        Deed deed = orders.size() < 2 ? Deed.PLACE : Deed.choose(random);
        carryOut(connection, deed);
        done.merge(deed.name(), 1, Integer::sum);
        think(connection);
      }
    }
    return done;
  }

  private void carryOut(Connection connection, Deed deed) throws SQLException {
    switch (deed) {
      case PLACE -> place(connection);
      case CANCEL -> cancel(connection, takeOrder());
      case AMEND -> amend(connection, orders.get(random.nextInt(orders.size())));
      case REPLACE -> replace(connection, takeOrder());
      case MOVE_LINE -> moveLine(connection);
      case PLACE_SLOWLY -> {
        place(connection);
        run(connection, "SELECT pg_sleep(1.5)");
        place(connection);
      }
      case PLACE_MANY -> {
        for (int i = 0; i < 200; i++) {
          place(connection);
        }
      }
      case CHANGE_OF_MIND -> {
        place(connection);
        connection.rollback();
        orders.remove(orders.size() - 1);
      }
      case HALF_A_CHANGE_OF_MIND -> {
        place(connection);
        Savepoint point = connection.setSavepoint();
        place(connection);
        connection.rollback(point);
        orders.remove(orders.size() - 1);
        place(connection);
      }
      case REMARK -> {
        run(connection, "INSERT INTO remarks (remark) VALUES ('all is well')");
        place(connection);
      }
    }
    connection.commit();
  }

  /** The database waits between two transactions, as a person would. */
  private void think(Connection connection) throws SQLException {
    run(connection, "SELECT pg_sleep(?)", 0.01 + random.nextInt(100) / 1000.0);
    connection.commit();
  }

  private Long takeOrder() {
    return orders.remove(random.nextInt(orders.size()));
  }

  private long newOrder(Connection connection) throws SQLException {
    long id = next;
    next += KEEPERS;
    String note =
        switch (random.nextInt(10)) {
          case 0 -> new BigInteger(LONG_NOTE * 4, random).toString(16);
          case 1, 2 -> null;
          default -> "note %d, naïve ☃".formatted(id);
        };
    run(
        connection,
        "INSERT INTO orders VALUES (?, ?, 0, ?, ?)",
        id,
        "customer " + random.nextInt(50),
        OPENING.plusSeconds(id).plusNanos(random.nextInt(1_000_000) * 1_000L),
        note);
    orders.add(id);
    return id;
  }

  private void place(Connection connection) throws SQLException {
    long id = newOrder(connection);
    int lines = 1 + random.nextInt(MOST_LINES);
    for (int line = 1; line <= lines; line++) {
      run(
          connection,
          "INSERT INTO order_lines VALUES (?, ?, ?, ?, ?)",
          id,
          line,
          "sku-" + random.nextInt(1000),
          1 + random.nextInt(9),
          BigDecimal.valueOf(random.nextInt(100_000), 2));
    }
    total(connection, id);
  }

  private static void total(Connection connection, long id) throws SQLException {
    run(
        connection,
        "UPDATE orders SET total = (SELECT coalesce(sum(quantity * price), 0)"
            + " FROM order_lines WHERE order_id = orders.id) WHERE id = ?",
        id);
  }

  private static void cancel(Connection connection, long id) throws SQLException {
    run(connection, "DELETE FROM order_lines WHERE order_id = ?", id);
    run(connection, "DELETE FROM orders WHERE id = ?", id);
  }

  private void amend(Connection connection, long id) throws SQLException {
    run(
        connection,
        "UPDATE order_lines SET quantity = quantity + ? WHERE order_id = ?",
        1 + random.nextInt(3),
        id);
    total(connection, id);
  }

  /** The lines go to a new order, by a change of their key, and the old one goes. */
  private void replace(Connection connection, long id) throws SQLException {
    long other = newOrder(connection);
    run(connection, "UPDATE order_lines SET order_id = ? WHERE order_id = ?", other, id);
    total(connection, other);
    run(connection, "DELETE FROM orders WHERE id = ?", id);
  }

  private void moveLine(Connection connection) throws SQLException {
    long from = orders.get(0);
    long to = orders.get(orders.size() - 1);
    run(
        connection,
        "UPDATE order_lines SET order_id = ?, line = (SELECT coalesce(max(line), 0) + 1 FROM"
            + " order_lines WHERE order_id = ?) WHERE order_id = ? AND line ="
            + " (SELECT min(line) FROM order_lines WHERE order_id = ?)",
        to,
        to,
        from,
        from);
    total(connection, from);
    total(connection, to);
  }

  private static void run(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.execute();
    }
  }
}
