package io.rowmark.integration

import java.nio.file.Files
import java.nio.file.Path

import scala.jdk.CollectionConverters._
import scala.util.Using

import io.rowmark.app.embedded.EmbeddedCatalog
import io.rowmark.index.testing.LocalSpark
import io.rowmark.formats.delete.WantedDeletes
import org.scalatest.funsuite.AnyFunSuite

/** The whole pipeline against a plain map: random histories of a source table, cut at random into
  * files and batches. After every batch the table must hold the map's rows, and the index, the
  * deletes, the row ids and the ledger must be right; with equality deletes there is no index.
  * `-Drowmark.histories=500` runs more of them, `-Drowmark.histories.first=1234` begins at another
  * seed: the number in the test's name.
  */
class TableModelSuite extends AnyFunSuite {
  private val first = Integer.getInteger("rowmark.histories.first", 1).toInt
  private val count = Integer.getInteger("rowmark.histories", 6).toInt
  private val batches = Integer.getInteger("rowmark.histories.batches", 3).toInt

  for {
    (deletes, by) <- List(WantedDeletes.AUTO -> "position", WantedDeletes.EQUALITY -> "key")
    seed <- first until first + count
  } {
    test(s"history $seed ends in the rows of its source after every batch, deletes by $by") {
      val history = new HistoryMaker(seed.toLong, deletes).make(batches)
      withClue(s"seed $seed, ${history.settings}: ") {
        val folder = Files.createTempDirectory("rowmark-history-")
        try run(seed, folder, history)
        finally delete(folder)
      }
    }
  }

  private def run(seed: Int, folder: Path, history: History): Unit =
    seed % 6 match {
      case 0 =>
        Using.resource(EmbeddedCatalog.start(folder.resolve("catalog"), 0)) { server =>
          val catalog = LocalSpark.catalog(server.clientProperties)
          new ModelRun(folder, history, catalog, "atomic").run()
        }
      case _ =>
        val catalog = LocalSpark.hadoopCatalog(Files.createDirectory(folder.resolve("warehouse")))
        new ModelRun(folder, history, catalog, "ordered").run()
    }

  private def delete(folder: Path): Unit =
    Using.resource(Files.walk(folder)) { paths =>
      paths.iterator.asScala.toVector.reverse.foreach(Files.delete)
    }
}
