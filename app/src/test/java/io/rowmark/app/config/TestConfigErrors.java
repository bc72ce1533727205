package io.rowmark.app.config;

import static io.rowmark.app.config.ConfigFixture.MINIMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every wrong configuration gives one error that says what, where, and how to mend it. */
class TestConfigErrors {
  private ConfigFixture config;

  @BeforeEach
  void writeTo(@TempDir Path dir) {
    config = new ConfigFixture(dir);
  }

  /** Appended lines begin at line 6. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          pipelin = shop                      | there is no setting pipelin. Did you mean pipeline?
          commit.attemps = 2                  | there is no setting commit.attemps. Did you mean commit.attempts?
          batch { zzzzzzzzzz = 2 }            | there is no setting batch.zzzzzzzzzz. Known here: driver-events, max-files, max-records, max-size.
          table-defaults.shema-policy = fail  | there is no setting table-defaults.shema-policy. Did you mean table-defaults.schema-policy?
          tables."shop.customers".keys = [id] | there is no setting tables."shop.customers".keys. Did you mean tables."shop.customers".key?
          tables."shop.customers".columns.a { typ = int } | there is no setting tables."shop.customers".columns.a.typ. Did you mean tables."shop.customers".columns.a.type?
          table-defaults.columns.a { typ = int } | there is no setting table-defaults.columns.a.typ. Did you mean table-defaults.columns.a.type?
          tables { shop.orders { topic = o } } | tables.shop is no table name: it lacks the namespace. Write the whole name in quotes, as in "shop.orders" { ... }.
          tables { orders { topic = o, key = [id] } } | 'orders' is no table name. Write namespace and table, as in "shop.orders".
          catalog = rest                      | catalog must be an object in braces, but is 'rest'.
          batch.max-files = many              | batch.max-files must be a whole number, but is 'many'.
          batch.max-files = 2.5               | batch.max-files must be a whole number, but is '2.5'.
          batch.max-files = 0                 | batch.max-files is 0, but must be at least 1.
          batch.max-files = 3000000000        | batch.max-files is 3000000000, but must be at most 2147483647.
          batch.max-size = big                | batch.max-size must be a size such as 64 GiB, but is 'big'.
          batch.max-size = 0                  | batch.max-size must be at least 1 byte.
          commit.attempts = [1]               | commit.attempts must be a single value, but is a list.
          commit.mode = sometimes             | commit.mode is 'sometimes', but must be one of auto, atomic, ordered.
          index.keep-order = 7                | index.keep-order must be true or false, but is '7'.
          index.suffix = ".idx"               | index.suffix is '.idx', but must not hold a dot: indexes lie beside their tables.
          index.suffix = ""                   | index.suffix must not be empty.
          source.format = debezium-json, source.envelope = maxwell | source.format is debezium-json, which means the envelope debezium, but source.envelope is maxwell. Write format = json.
          source.format = csv                 | tables."shop.customers" says no fields, but CSV files without header do not name them. Write fields = [column, ...] in the order of the file, or source.csv.header = true.
          source.envelope = flat, tables."shop.customers".source-table = a | tables."shop.customers".source-table is 'a', but the records of the envelope flat name no table. Remove it, or say where the name is: source.envelope { table = [...] }.
          source.envelope = debezum           | source.envelope is none: There is no envelope 'debezum'. Shipped are airbyte, canal, datastream, debezium, debezium-flat, delta-changes, dms, dms-transactions, estuary, fivetran, flat, goldengate, iceberg-changelog, maxwell, olake; or describe one in braces.
          source.envelope { like = debezium, oder = [] } | the envelope has no setting 'oder'. Known here: absent, after, before, carry-overs, controls, deleted, exclude, leading, leading-in, like, missing-flag-suffix, op, order, order-scope, payload, previous, previous-prefix, record, rows, snapshot, table, time, tombstones, transaction, types, types-path, values, zero-dates.
          source.csv.delimiter = ",,"         | source.csv.delimiter is ',,', but must be one character.
          source.confluent.field = value      | source.confluent.field is not enough. Framed Avro needs both: field, where it is in a record, and schemas, the folder of its schemas.
          source.format = xml                 | source.format is 'xml', but must be one of json, json-documents, csv, avro, parquet.
          source.kind = iceberg               | source.path is set, but source.kind is iceberg. Remove it: the topic of a table names its source table.
          source { kind = iceberg, path = null } | tables."shop.customers".topic is 'customers', but must name the source table with its namespace, as in "raw.customers".
          source { kind = iceberg, path = null }, tables."shop.customers".topic = shop.customers | tables."shop.customers".topic is the table itself. Name the source table.
          source { kind = iceberg, path = null, iceberg.changes = snapshots, envelope = flat } | source.envelope is set, but source.iceberg.changes is snapshots: rows of such tables are in no envelope. Remove it.
          source.kind = delta                 | source.path is set, but source.kind is delta. Remove it: the topic of a table names its source table.
          source { kind = delta, path = null } | tables."shop.customers".topic is 'customers', but must be the path of the source table, as in "s3://lake/customers", or its name with its schema, as in "raw.customers".
          source { kind = delta, path = null, envelope = flat } | source.envelope is set, but source.kind is delta: rows of such tables are in no envelope. Remove it.
          tables."shop.customers".start-snapshot = 5 | tables."shop.customers".start-snapshot is set, but source.kind is files, which have no snapshots. Remove it.
          ledger.table = ledger               | ledger.table is 'ledger', but must have a namespace, as in "shop.rowmark_ledger".
          rejects.max-records = 5             | rejects.max-records is 5, so records may be left out, but rejects.path is empty and they would be lost. Set rejects.path.
          catalog.name = "my-catalog"         | catalog.name is 'my-catalog', but must be letters, digits and underscores for SQL.
          tables."shop.customers".key = id    | tables."shop.customers".key must be a list in brackets, as in [a, b], but is 'id'.
          tables."shop.customers".key = [a,a] | tables."shop.customers".key names a column twice. Remove one.
          tables."shop.customers".key = []    | tables."shop.customers".key is empty, but table shop.customers is keyed. Write key = [column, ...], or mode = append-only if its rows have no key.
          tables."shop.customers".format-version = 1 | tables."shop.customers".format-version is '1', but must be auto, 2 or 3: version 1 cannot delete rows, later ones are not known.
          tables."shop.customers".columns.a = bad | tables."shop.customers".columns.a declares no type: 'bad' is not a type.
          tables."shop.customers".columns.a {} | tables."shop.customers".columns.a says nothing. Write a type, a default, or both.
          tables."shop.customers".deletes = gone | tables."shop.customers".deletes is 'gone', but must be one of hard, soft.
          tables."shop.customers".soft-delete.flg = x | there is no setting tables."shop.customers".soft-delete.flg. Did you mean tables."shop.customers".soft-delete.flag?
          tables."shop.customers" { deletes = soft, delete-format = equality } | tables."shop.customers".delete-format is equality, which looks no row up, but with deletes = soft the values of a deleted row come from the table. Write auto, position or deletion-vector; or soft-delete.images = whole if every delete event holds the whole row.
          tables."shop.customers" { deletes = soft, soft-delete.flag = id } | tables."shop.customers".soft-delete.flag is id, which is a column of the source by key. Choose another name.
          tables."shop.customers" { deletes = soft, soft-delete.flag = _deleted } | tables."shop.customers".soft-delete.flag is _deleted, a name that Iceberg keeps for itself. Choose another name.
          tables."shop.customers" { deletes = soft, soft-delete.at = is_deleted } | tables."shop.customers".soft-delete.at is is_deleted, as another of these columns is. Choose another name.
          source.envelope = fivetran, tables."shop.customers" { deletes = soft, soft-delete.at = at } | tables."shop.customers".soft-delete names a column for the time of deletion, but the envelope fivetran tells no times. Say where they are, as in source.envelope { time { path = ..., unit = milliseconds } }, or remove soft-delete.at.
          tables."shop.customers" { mode = history, deletes = soft } | tables."shop.customers".deletes is soft, which is for tables of mode = keyed: a history keeps deleted rows as it is. Remove it.
          tables."shop.customers" { mode = history, key = [] } | tables."shop.customers".key is empty, but table shop.customers is a history. Write key = [column, ...], or mode = append-only if its rows have no key.
          tables."shop.customers" { mode = history, duplicate-keys = keep-newest } | tables."shop.customers".duplicate-keys is keep-newest, but a history keeps several rows of a key. Write fail, or leave it out.
          tables."shop.customers" { mode = history, delete-format = equality } | tables."shop.customers".delete-format is equality, but a history has to find the version that it ends. Write auto, position or deletion-vector.
          index.keep-order = false, tables."shop.customers".mode = history | tables."shop.customers".mode is history, which knows late and repeated events by the order that the index keeps; but index.keep-order is false. Write index.keep-order = true.
          source.envelope = canal, tables."shop.customers".mode = history | tables."shop.customers".mode is history, but the envelope canal has no order that lasts beyond a batch, so that a repeated event would become one more version. Feed a table of mode = keyed.
          source.envelope = delta-changes, tables."shop.customers".mode = history | tables."shop.customers".mode is history, but records of the envelope delta-changes also tell of rows that were only copied, which would become versions. Feed a table of mode = keyed.
          source.envelope { like = maxwell, time.path = null }, tables."shop.customers".mode = history | tables."shop.customers".mode is history, but the envelope of the configuration, like maxwell tells no times at which versions begin and end. Say where they are, as in source.envelope { time { path = ..., unit = milliseconds } }.
          tables."shop.b" { topic = customers, key = [id] } | tables."shop.customers" takes the topic customers, as table shop.b does. Give each table its own topic, or its own source-table.
          """)
  void isNamedWithItsPlace(String line, String message) {
    RowmarkException error = error(MINIMAL + line);

    assertThat(error.category()).isEqualTo(Category.CONFIG);
    assertThat(error.getMessage())
        .matches("\\Q" + config.file() + "\\E:\\d+: \\Q" + message + "\\E");
  }

  @Test
  void lineIsTheOneInTheFile() {
    assertThat(error(MINIMAL + "\n\ncommit.mode = never\n").getMessage())
        .startsWith(config.file() + ":8: commit.mode is 'never'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          pipeline = shop                                                | the required setting pipeline is missing. Write pipeline = ...
          source.path = "/landing"                                       | the required setting source.path is missing. Write source.path = ...
          ledger.table = "shop.ledger"                                   | the required setting ledger.table is missing. Write ledger.table = ...
          topic = customers,                                             | the required setting tables."shop.customers".topic is missing. Write tables."shop.customers".topic = ...
          tables { "shop.customers" { topic = customers, key = [id] } }  | no table is configured. Write tables { "namespace.table" { topic = ..., key = [...] } }.
          """)
  void missingSettingIsNamed(String removed, String message) {
    assertThat(error(MINIMAL.replace(removed, "")).getMessage())
        .isEqualTo(config.file() + ": " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          table-defaults.readers = []                | the required setting tables."shop.customers".readers is missing. Name every engine that reads the table, as in table-defaults.readers = [spark, "trino 480"]
          table-defaults.readers = [sparc]           | tables."shop.customers".readers cannot be: There is no reader 'sparc' in the capability data. Did you mean spark?
          table-defaults.readers = ["trino new"]     | tables."shop.customers".readers cannot be: The reader 'trino new' is not of the form <engine> or <engine> <version>.
          table-defaults.allow = ["click/preview"]   | tables."shop.customers".allow cannot be: There is no condition 'click/preview' to allow
          catalog.kind = polari                      | catalog.kind is unknown: There is no catalog 'polari' in the capability data. Did you mean polaris?
          table-defaults.delete-format = vectors     | delete-format is 'vectors', but must be one of auto, equality, position, deletion-vector.
          capabilities.readers = [{ engine = trino, position = no, source = a }] | date
          capabilities.readers = [{ engine = trino, position = no, date = 2026-11-30 }] | source
          capabilities.readers = [{ engine = trino, positions = no, source = a, date = 2026-11-30 }] | positions
          capabilities.writers = []                  | writers
          """)
  void whatIsWrongWithADeclarationOfReadersIsNamed(String line, String message) {
    RowmarkException error = error(MINIMAL + line);

    assertThat(error.category()).isEqualTo(Category.CONFIG);
    assertThat(error.getMessage()).contains(config.file()).contains(message);
  }

  @Test
  void statementsThatContradictEachOtherAreRefused() {
    String two =
        """
        capabilities.readers = [
          { engine = trino, position = no, source = a, date = 2026-11-30 }
          { engine = trino, position = yes, source = b, date = 2026-11-30 }
        ]
        """;

    assertThat(error(MINIMAL + two).getMessage()).contains("trino", "position", config.file());
  }

  @Test
  void catalogNeedsAType() {
    assertThat(error(MINIMAL.replace("type = hadoop,", "")).getMessage())
        .contains(
            "catalog.properties says no catalog. Write type = rest (or glue, hive, jdbc, hadoop,"
                + " nessie), or catalog-impl = <class>.");
  }

  @Test
  void restCatalogNeedsAnAddress() {
    assertThat(error(MINIMAL.replace("type = hadoop", "type = rest")).getMessage())
        .contains("catalog.properties has type = rest without an address.");
  }

  @Test
  void appendOnlyTableHasNoKey() {
    assertThat(error(MINIMAL + "tables.\"shop.customers\".mode = append-only").getMessage())
        .contains(
            "tables.\"shop.customers\".key names columns, but table shop.customers is append-only"
                + " and has no key.");
  }

  @Test
  void ledgerAndIndexDoNotShareANameWithATable() {
    String ledger = "ledger.table = \"shop.customers\"";
    String index = "tables.\"shop.customers__rowmark_index\" { topic = i, key = [id] }";

    assertThat(error(MINIMAL + ledger).getMessage())
        .contains(
            "the name shop.customers is wanted for the ledger (ledger.table) and for table"
                + " shop.customers. Change one of them.");
    assertThat(error(MINIMAL + index).getMessage())
        .contains("is wanted for table shop.customers__rowmark_index and for the index of table");
    String noIndex = "tables.\"shop.customers\".delete-format = equality\n";
    assertThat(config.read(MINIMAL + index + "\n" + noIndex).pipeline().tables()).hasSize(2);
  }

  @Test
  void deleteFormatIsOneOfFour() {
    assertThat(error(MINIMAL + "table-defaults.delete-format = dv").getMessage())
        .contains(
            "delete-format is 'dv', but must be one of auto, equality, position,"
                + " deletion-vector.");
  }

  @Test
  void speculationIsRefused() {
    assertThat(error(MINIMAL + "spark.conf.spark.speculation = true").getMessage())
        .contains("spark.conf sets spark.speculation = true.");
  }

  @Test
  void missingFileIsNamed() {
    assertThatThrownBy(() -> EffectiveConfig.load(Path.of("/nowhere/x.conf"), List.of()))
        .hasMessageContaining("Configuration file /nowhere/x.conf does not exist");
  }

  @Test
  void brokenSyntaxIsNamedWithItsLine() {
    assertThat(error(MINIMAL + "batch { max-files = 5").getMessage())
        .startsWith("The configuration is not valid HOCON: " + config.file() + ": 6:");
  }

  @Test
  void substitutionWithoutValueIsNamed() {
    assertThat(error(MINIMAL + "report.dir = ${ROWMARK_TEST_UNSET}").getMessage())
        .contains("${ROWMARK_TEST_UNSET}")
        .endsWith(
            "Set the environment variable, or write ${?NAME} if the setting may be left out.");
  }

  @Test
  void overridesWinAndAreNamedAsSuch() {
    assertThat(config.read(MINIMAL, "commit.attempts=5").pipeline().commit().attempts())
        .isEqualTo(5);
    assertThat(
            config
                .read(MINIMAL, "catalog.properties.uri=http://host:1/a?b=c#d")
                .pipeline()
                .catalog()
                .properties())
        .containsEntry("uri", "http://host:1/a?b=c#d");
    assertThat(
            config
                .read(MINIMAL, "tables.\"shop.customers\".key=[a, b]")
                .pipeline()
                .tables()
                .get(0)
                .key())
        .containsExactly("a", "b");
    assertThat(config.read(MINIMAL, "batch.max-files=1", "batch.max-files=2").pipeline().batch())
        .extracting("maxFiles")
        .isEqualTo(2);
    assertThat(error(MINIMAL, "commit.mode=x").getMessage())
        .startsWith("command line: commit.mode is 'x'");
    assertThat(error(MINIMAL, "comit.mode=x").getMessage())
        .startsWith("command line: there is no setting comit. Did you mean commit?");
    assertThat(error(MINIMAL, "batch.max-files=[1]").getMessage())
        .startsWith("command line: batch.max-files must be a single value");
    assertThat(error(MINIMAL, "batch.max-files").getMessage())
        .startsWith("--set batch.max-files has no value.");
    assertThat(error(MINIMAL, "batch..x=1").getMessage())
        .startsWith("--set batch..x=... is not a setting.");
  }

  private RowmarkException error(String text, String... overrides) {
    try {
      config.read(text, overrides);
    } catch (RowmarkException e) {
      return e;
    }
    throw new AssertionError("read without an error: " + text);
  }
}
