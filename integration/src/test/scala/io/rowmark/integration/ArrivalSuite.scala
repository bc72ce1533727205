package io.rowmark.integration

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.nio.file.Path

import scala.jdk.CollectionConverters._
import scala.util.Using

import com.fasterxml.jackson.databind.ObjectMapper
import io.rowmark.app.config.AppConfigReader
import io.rowmark.app.config.EffectiveConfig
import io.rowmark.formats.`type`.SourceTypes
import io.rowmark.formats.delete.WantedDeletes
import io.rowmark.index.IndexedTable
import io.rowmark.index.testing.LocalSpark
import io.rowmark.index.testing.LocalSpark.LocalCatalog
import io.rowmark.index.verify.IndexVerifier
import io.rowmark.merge.BatchPipeline
import io.rowmark.merge.StepListener
import io.rowmark.merge.report.BatchReport.Outcome
import io.rowmark.merge.spec.BatchSpec
import io.rowmark.merge.spec.IndexSpec
import io.rowmark.merge.spec.PipelineSpec
import org.apache.iceberg.catalog.TableIdentifier
import org.scalatest.funsuite.AnyFunSuite

/** Random logs of changes that come in shuffled, repeated, and cut anyhow, with values left out.
  * With orders kept, the table ends as the log does, whatever the way. Without, the last batch
  * wins, and what a batch says of a key is its newest change. `-Drowmark.arrivals=200` runs more of
  * them, `-Drowmark.arrivals.first=1234` begins at another seed: the number in the test's name.
  */
class ArrivalSuite extends AnyFunSuite {
  private val first = Integer.getInteger("rowmark.arrivals.first", 1).toInt
  private val count = Integer.getInteger("rowmark.arrivals", 2).toInt
  private val json = new ObjectMapper

  /** The orders that an index keeps, and how rows are deleted. */
  private val policies = List(
    "newest-wins" -> ((IndexSpec.Order.KEPT, WantedDeletes.DELETION_VECTOR)),
    "last-batch-wins" -> ((IndexSpec.Order.NOT_KEPT, WantedDeletes.DELETION_VECTOR)),
    "last-batch-wins, by key" -> ((IndexSpec.Order.KEPT, WantedDeletes.EQUALITY))
  )

  for {
    (policy, (order, deletes)) <- policies
    seed <- first until first + count
  } {
    test(s"arrivals $seed end in the one state of $policy") {
      val newest = policy == "newest-wins"
      val arrivals = new ArrivalMaker(seed.toLong, leavesOut = newest).make(3)
      val folder = Files.createTempDirectory("rowmark-arrivals-")
      try {
        val run = new Run(folder, order, deletes, absent = seed % 2 == 0)
        var last = Map.empty[Int, Thing]
        arrivals.batches.zipWithIndex.foreach { case (files, number) =>
          withClue(s"seed $seed, batch $number, absent ${seed % 2 == 0}: ") {
            run.ingest(files, number)
            last = lastBatchWins(last, files.flatten)
            if (!newest) assert(run.rows() == shown(last))
          }
        }
        withClue(s"seed $seed: ") {
          assert(run.rows() == shown(if (newest) arrivals.truth else last))
          if (deletes != WantedDeletes.EQUALITY) run.checkIndex()
        }
      } finally delete(folder)
    }
  }

  private def lastBatchWins(rows: Map[Int, Thing], batch: Vector[Change]): Map[Int, Thing] =
    batch.groupBy(_.id).foldLeft(rows) { case (now, (id, changes)) =>
      changes.maxBy(_.order).after match {
        case Some(row) => now + (id -> row)
        case None      => now - id
      }
    }

  private def shown(rows: Map[Int, Thing]): List[String] =
    rows.toList.sortBy(_._1).map { case (id, row) => List(id, row.qty, row.note, row.big).toString }

  /** @param absent
    *   whether values are left out by not naming them
    */
  private final class Run(
      folder: Path,
      order: IndexSpec.Order,
      deletes: WantedDeletes,
      absent: Boolean
  ) {
    private val catalog: LocalCatalog =
      LocalSpark.hadoopCatalog(Files.createDirectory(folder.resolve("warehouse")))
    private val landing = Files.createDirectories(folder.resolve("landing/things"))

    def ingest(files: Vector[Vector[Change]], number: Int): Unit = {
      files.zipWithIndex.foreach { case (file, i) =>
        // names say nothing of when a file was written
        val name = s"${Integer.toHexString((number * 31 + i * 17 + 7) * 40503 % 65536)}-$number-$i"
        Files.write(landing.resolve(s"$name.json"), file.map(event).mkString("\n").getBytes(UTF_8))
      }
      val events = if (number % 2 == 0) BatchSpec.DEFAULT_DRIVER_EVENTS else 0
      val report = new BatchPipeline(
        pipeline(events),
        LocalSpark.session,
        catalog.iceberg,
        StepListener.SILENT,
        _ => ()
      ).run()
      assert(report.outcome == Outcome.COMMITTED)
    }

    private def event(change: Change): String = {
      val event = json.createObjectNode()
      event.put("op", if (change.after.isEmpty) "d" else "u")
      val source = event.putObject("source")
      source.put("connector", "postgresql")
      source.put("sequence", s"""["${change.order}","${change.order}"]""")
      change.after match {
        case None      => event.putObject("before").put("id", change.id)
        case Some(row) =>
          val image = event.putObject("after")
          image.put("id", change.id)
          image.put("qty", row.qty)
          List("note" -> row.note, "big" -> row.big).foreach { case (name, value) =>
            if (!change.left(name)) image.put(name, value)
            else if (!absent) image.put(name, DebeziumText.Unavailable)
          }
      }
      json.writeValueAsString(event)
    }

    private def pipeline(driverEvents: Int): PipelineSpec = {
      val format = deletes.name.toLowerCase.replace('_', '-')
      val text =
        s"""pipeline = arrivals
           |catalog { name = ${catalog.name}, properties { type = hadoop, warehouse = unused } }
           |source.path = "${folder.resolve("landing").toUri}"
           |source.envelope { like = debezium, absent = ${if (absent) "unchanged" else "empty"} }
           |ledger.table = "shop.ledger"
           |index.keep-order = ${order == IndexSpec.Order.KEPT}
           |batch.driver-events = $driverEvents
           |table-defaults { readers = [spark], delete-format = $format, format-version = 3 }
           |tables { "shop.things" {
           |  topic = things, key = [id]
           |  columns { id = long, qty = long, note = string, big = string }
           |} }
           |""".stripMargin
      val file = Files.writeString(folder.resolve("arrivals.conf"), text)
      new AppConfigReader(SourceTypes.parse(_))
        .read(EffectiveConfig.load(file, java.util.List.of()))
        .pipeline
    }

    def rows(): List[String] =
      LocalSpark.session
        .sql(s"SELECT id, qty, note, big FROM ${catalog.name}.shop.things ORDER BY id")
        .collect()
        .map(_.toSeq.toList.toString)
        .toList

    def checkIndex(): Unit = {
      val names = new IndexedTable(
        catalog.iceberg,
        catalog.name,
        TableIdentifier.of("shop", "things"),
        TableIdentifier.of("shop", "things__rowmark_index"),
        List("id").asJava
      )
      val verified = IndexVerifier.verify(LocalSpark.session, names)
      assert(verified.agrees, verified.differences)
    }
  }

  private def delete(folder: Path): Unit =
    Using.resource(Files.walk(folder)) { paths =>
      paths.iterator.asScala.toVector.reverse.foreach(Files.delete)
    }
}
