package io.rowmark.integration

import java.io.OutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.nio.file.Path
import java.util.zip.GZIPOutputStream

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using

import io.rowmark.formats.`type`.ColumnDeclaration
import io.rowmark.formats.`type`.SourceTypes
import io.rowmark.formats.delete.WantedDeletes
import io.rowmark.formats.index.IndexLayout
import io.rowmark.index.IndexTables
import io.rowmark.index.IndexedTable
import io.rowmark.index.testing.LocalSpark
import io.rowmark.index.testing.LocalSpark.LocalCatalog
import io.rowmark.index.verify.IndexVerifier
import io.rowmark.merge.BatchPipeline
import io.rowmark.merge.StepListener
import io.rowmark.merge.report.BatchReport
import io.rowmark.merge.spec._
import org.apache.iceberg.FileContent
import org.apache.iceberg.FileFormat
import org.apache.iceberg.Table
import org.apache.iceberg.TableUtil
import org.apache.iceberg.catalog.TableIdentifier
import org.apache.iceberg.data.IcebergGenerics
import org.apache.iceberg.data.Record
import org.scalatest.Assertions._

/** One history on one catalog: lands its files batch by batch, runs the pipeline, and looks. */
final class ModelRun(folder: Path, history: History, catalog: LocalCatalog, protocol: String) {
  private type Identity = List[Any]

  private val settings = history.settings
  private val topic = "shop.public.things"
  private val landing = Files.createDirectories(folder.resolve("landing"))
  private val data = TableIdentifier.of("shop", "things")
  private val suffix = "__rowmark_index"
  private val ledger = TableIdentifier.of("shop", "ledger")
  private val names = new IndexedTable(
    catalog.iceberg,
    catalog.name,
    data,
    TableIdentifier.of("shop", data.name + suffix),
    settings.key.asJava
  )

  private val byKey = settings.deletes == WantedDeletes.EQUALITY

  private var offset = 0L
  private var held = Map.empty[Key, Body]

  /** Batches take turns on the driver and in Spark, which must come to the same. */
  private var driverEvents = 0
  private val landed = mutable.Set[String]()
  private var before = Map.empty[Identity, (Int, Long)]
  private val owners = mutable.Map[Long, Identity]()

  def run(): Unit = history.batches.zipWithIndex.foreach { case (files, number) =>
    driverEvents = if (number % 2 == 0) BatchSpec.DEFAULT_DRIVER_EVENTS else 0
    withClue(s"batch $number with driver-events $driverEvents: ") {
      files.zipWithIndex.foreach { case (file, i) => land(file, (number + i) % 2 == 0) }
      val report = ingest()
      assert(report.outcome == BatchReport.Outcome.COMMITTED)
      assert(report.protocol == protocol)
      check(files.last.after)
      if (byKey) checkKeyDeletes(files)
      held = files.last.after
      assert(ingest().outcome == BatchReport.Outcome.NOTHING_NEW)
    }
  }

  private def land(file: LandedFile, plain: Boolean): Unit = {
    val partition = Files.createDirectories(landing.resolve(topic).resolve("partition=0"))
    val name = f"$topic+0+$offset%010d.json${if (plain) "" else ".gz"}"
    val opened = Files.newOutputStream(partition.resolve(name))
    val out: OutputStream = if (plain) opened else new GZIPOutputStream(opened)
    Using.resource(out)(_.write(file.lines.mkString("", "\n", "\n").getBytes(UTF_8)))
    offset += file.lines.size
    landed += s"$topic/partition=0/$name"
  }

  private def ingest(): BatchReport =
    new BatchPipeline(
      pipeline,
      LocalSpark.session,
      catalog.iceberg,
      StepListener.SILENT,
      _ => ()
    ).run()

  private def pipeline: PipelineSpec = {
    // a declaration is believed before the record's own schema, which grows by itself
    val declared =
      if (settings.typed > 0) Map.empty[String, ColumnDeclaration]
      else Map("qty" -> new ColumnDeclaration(SourceTypes.parse("int"), null))
    val table = new TableSpec(
      topic,
      data.toString,
      TableSpec.Mode.KEYED,
      settings.key.asJava,
      declared.asJava,
      (if (settings.partitioned) List("bucket(3, id)") else Nil).asJava,
      java.util.Map.of(),
      TableSpec.SchemaPolicy.EVOLVE,
      TableSpec.TruncatePolicy.APPLY,
      TableFeed.WHOLE_TOPIC,
      if (byKey) Declared.spark(settings.formatVersion, settings.deletes)
      else Declared.positional(settings.formatVersion)
    )
    new PipelineSpec(
      "history",
      new CatalogSpec(catalog.name, java.util.Map.of()),
      new SourceSpec("debezium-json", landing.toUri.toString, DebeziumText.Unavailable),
      List(table).asJava,
      ledger.toString,
      new IndexSpec(suffix, IndexSpec.Order.KEPT, if (settings.composite) 2 else 16),
      new BatchSpec(1000, Long.MaxValue, driverEvents),
      new CommitSpec(CommitSpec.Mode.AUTO, 3),
      new RejectSpec("", 0, RejectSpec.Content.REASON_ONLY),
      Declared.capabilities
    )
  }

  private def check(expected: Map[Key, Body]): Unit = {
    val table = names.loadData()
    assert(rows(table) == expected.map { case (key, body) => shown(key, body) }.toList.sorted)
    if (!byKey) {
      checkIndex(expected)
      checkDeletes(table)
      checkDeletes(IndexTables.find(catalog.iceberg, names.index).orElseThrow())
      if (settings.formatVersion >= 3) checkLineage(expected)
    }
    checkLedger()
  }

  private def records(table: Table): List[Record] =
    Using.resource(IcebergGenerics.read(table).build())(_.asScala.map(_.copy()).toList)

  private def rows(table: Table): List[String] = records(table).map { record =>
    List("id", "code", "qty", "note", "big", "extra").map(record.getField).toString
  }.sorted

  private def shown(key: Key, body: Body): String =
    List(key.id, key.code, body.qty, body.note, body.big, body.extra).toString

  private def identity(key: Key): Identity =
    if (settings.composite) List(key.id, key.code) else List(key.id)

  private def checkIndex(expected: Map[Key, Body]): Unit = {
    val verified = IndexVerifier.verify(LocalSpark.session, names)
    assert(verified.agrees, verified.differences)
    assert(verified.rowsInTable == expected.size)
    val index = IndexTables.find(catalog.iceberg, names.index).orElseThrow()
    val entries = records(index)
    val all = entries.map(entry => settings.key.map(entry.getField))
    assert(all.distinct.size == all.size, "a key has two entries in the index")
    val live = entries.filter(_.getField(IndexLayout.DATA_FILE) != null)
    assert(
      live.map(entry => settings.key.map(entry.getField): Identity).toSet ==
        expected.keySet.map(identity)
    )
  }

  /** Of the decided kind only, one for a data file at the most, and no file without live rows. */
  private def checkDeletes(table: Table): Unit =
    Using.resource(table.newScan().planFiles()) { tasks =>
      val format =
        if (TableUtil.formatVersion(table) >= 3) FileFormat.PUFFIN else FileFormat.PARQUET
      tasks.asScala.foreach { task =>
        val deletes = task.deletes.asScala
        assert(deletes.size <= 1, s"deletes of ${task.file.location}: $deletes")
        deletes.foreach { delete =>
          assert(delete.content == FileContent.POSITION_DELETES)
          assert(delete.format == format)
          assert(delete.recordCount < task.file.recordCount)
        }
      }
    }

  /** Of the decided kind only, without an index; and where old rows changed, the data files alone
    * hold more rows than the table.
    */
  private def checkKeyDeletes(files: Vector[LandedFile]): Unit = {
    assert(!catalog.iceberg.tableExists(names.index))
    Using.resource(names.loadData().newScan().planFiles()) { tasks =>
      val all = tasks.asScala.toList
      all.flatMap(_.deletes.asScala).foreach { delete =>
        assert(delete.content == FileContent.EQUALITY_DELETES)
      }
      val now = files.last.after
      val truncated = files.exists(_.lines.exists(_.contains("\"op\":\"t\"")))
      val changed = held.exists { case (key, body) => !now.get(key).contains(body) }
      if (changed && !truncated) {
        assert(all.map(_.file.recordCount).sum > now.size, "no delete hides a row")
      }
    }
  }

  /** A row keeps its id while it lives, and no other row ever has it. */
  private def checkLineage(expected: Map[Key, Body]): Unit = {
    val columns = settings.key.map(name => s"`$name`").mkString(", ")
    val found = LocalSpark.session
      .sql(s"SELECT _row_id, $columns FROM ${names.sparkData}")
      .collect()
      .map(row => (row.toSeq.tail.toList: Identity) -> row.getLong(0))
      .toMap
    assert(found.values.toSet.size == found.size, "two rows have one id")
    val now = expected.map { case (key, body) =>
      identity(key) -> ((body.life, found(identity(key))))
    }
    for ((key, (life, id)) <- now; (oldLife, oldId) <- before.get(key) if life == oldLife) {
      assert(id == oldId, s"the row of key $key changed its id")
    }
    for ((key, id) <- found) {
      assert(owners.getOrElseUpdate(id, key) == key, s"key $key has the id of another row")
    }
    before = now
  }

  private def checkLedger(): Unit = {
    val done = records(catalog.iceberg.loadTable(ledger))
      .filter(_.getField("status") == "DONE")
      .map(_.getField("input").toString)
    assert(done.sorted == landed.toList.sorted)
  }
}
