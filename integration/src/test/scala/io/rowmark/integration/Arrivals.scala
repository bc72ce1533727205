package io.rowmark.integration

import java.util.Random

import scala.collection.mutable

/** The columns of a row apart from its key. */
final case class Thing(qty: Long, note: String, big: String)

/** A change of one key.
  *
  * @param after
  *   the whole row; none for a delete
  * @param left
  *   columns that the event leaves out, because they did not change
  */
final case class Change(order: Long, id: Int, after: Option[Thing], left: Set[String])

/** How the changes of a log come in: batches of files, each change at least once. */
final case class Arrivals(batches: Vector[Vector[Vector[Change]]], truth: Map[Int, Thing])

/** A random log of changes, and a random way in which it comes in: in any order, more than once,
  * cut into any files and batches. Only one thing holds: an event that leaves values out comes with
  * what came before it in the source, or later, as the values are not known otherwise.
  */
final class ArrivalMaker(seed: Long, leavesOut: Boolean) {
  private val random = new Random(seed * 7919L + 5)
  private val keys = 1 to 7
  private val texts = Vector("", "a", "\u00e4", "null", "x y", "\ud83d\ude00", "\"")

  def make(batchCount: Int): Arrivals = {
    val (log, truth) = changes(40 + random.nextInt(60))
    val batches = Vector.fill(batchCount)(mutable.ArrayBuffer[Change]())
    val reached = mutable.Map[Int, Int]().withDefaultValue(0)
    for (change <- log) {
      val any = random.nextInt(batchCount)
      val at = if (change.left.isEmpty) any else math.max(any, reached(change.id))
      reached(change.id) = math.max(reached(change.id), at)
      batches(at) += change
      while (random.nextInt(4) == 0) batches(at + random.nextInt(batchCount - at)) += change
    }
    Arrivals(batches.map(files).filter(_.nonEmpty), truth)
  }

  private def files(changes: mutable.ArrayBuffer[Change]): Vector[Vector[Change]] = {
    val files = Vector.fill(1 + random.nextInt(4))(mutable.ArrayBuffer[Change]())
    shuffled(changes).foreach(change => files(random.nextInt(files.size)) += change)
    files.map(_.toVector).filter(_.nonEmpty)
  }

  private def shuffled(changes: mutable.ArrayBuffer[Change]): Vector[Change] =
    new scala.util.Random(random.nextLong()).shuffle(changes.toVector)

  private def changes(count: Int): (Vector[Change], Map[Int, Thing]) = {
    val rows = mutable.Map[Int, Thing]()
    val log = (1 to count).toVector.map { n =>
      val order = 1000L + 10 * n
      val id = keys(random.nextInt(keys.size))
      rows.get(id) match {
        case Some(_) if random.nextInt(5) == 0 =>
          rows -= id
          Change(order, id, None, Set.empty)
        case Some(old) if leavesOut && random.nextInt(2) == 0 =>
          val left = Set("note", "big").filter(_ => random.nextInt(3) != 0)
          val now = Thing(
            random.nextInt(1000).toLong,
            if (left("note")) old.note else text(n),
            if (left("big")) old.big else text(n)
          )
          rows(id) = now
          Change(order, id, Some(now), left)
        case _ =>
          rows(id) = Thing(random.nextInt(1000).toLong, text(n), text(n))
          Change(order, id, rows.get(id), Set.empty)
      }
    }
    (log, rows.toMap)
  }

  private def text(n: Int): String =
    if (random.nextInt(6) == 0) null else texts(random.nextInt(texts.size)) + n
}
