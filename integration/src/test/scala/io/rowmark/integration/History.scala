package io.rowmark.integration

import java.util.Random

import scala.collection.mutable

import io.rowmark.formats.delete.WantedDeletes

/** What one random history is made of; all of it follows from the seed.
  *
  * @param typed
  *   how many of 100 records carry their schema
  * @param composite
  *   whether the key is (id, code) and not id alone
  * @param lateEvents
  *   whether events come again, in the same batch or a later one
  * @param leavesOut
  *   whether events leave out large values that did not change
  */
final case class Settings(
    seed: Long,
    formatVersion: Int,
    typed: Int,
    composite: Boolean,
    partitioned: Boolean,
    metadata: Boolean,
    snapshot: Boolean,
    tombstones: Boolean,
    lateEvents: Boolean,
    leavesOut: Boolean,
    deletes: WantedDeletes
) {
  def key: List[String] = if (composite) List("id", "code") else List("id")
}

final case class Key(id: Long, code: String)

/** A row apart from its key; `life` tells rows apart that had the same key one after another. */
final case class Body(
    qty: java.lang.Long,
    note: String,
    big: String,
    extra: String,
    life: Int
)

/** Lines that must land in one file, and the source's rows once all of them are applied. */
final case class Emitted(op: String, lines: Vector[String], after: Map[Key, Body])

/** A file to land, and the rows that the table must have when it and all before it are in. */
final case class LandedFile(lines: Vector[String], after: Map[Key, Body])

final case class History(settings: Settings, batches: Vector[Vector[LandedFile]])

/** A random source database and what Debezium's PostgreSQL connector would say of it. For a table
  * with equality deletes it says whole rows, and says everything once: without a lookup, neither a
  * late event nor the rest of a row can be known.
  */
final class HistoryMaker(seed: Long, deletes: WantedDeletes) {
  private val random = new Random(seed * 1000003L + 17)

  val settings: Settings = Settings(
    seed,
    formatVersion = if (random.nextInt(3) == 0) 2 else 3,
    typed = Array(0, 0, 100, 100, 50)(random.nextInt(5)),
    composite = random.nextInt(3) == 0,
    partitioned = random.nextInt(2) == 0,
    metadata = random.nextInt(4) != 0,
    snapshot = random.nextInt(3) != 0,
    tombstones = random.nextBoolean(),
    lateEvents = random.nextInt(3) != 0 && deletes != WantedDeletes.EQUALITY,
    leavesOut = deletes != WantedDeletes.EQUALITY,
    deletes
  )

  private val codes =
    Vector("a", "A", "", "a\u0301", "\u00e1", "\ud83d\ude00", "q\"\\\n", "\u2028", "\uffee", " a")
  private val keys: Vector[Key] = Vector
    .tabulate(9) { i =>
      val id = Array(1L, 2L, 3L, -7L, 1L << 53, (1L << 53) + 1, Long.MaxValue, Long.MinValue, 0L)(i)
      Key(if (settings.composite) id / (1 + i % 2) else id, codes(random.nextInt(codes.size)))
    }
    .distinct

  private val state = mutable.LinkedHashMap[Key, Body]()
  private val units = mutable.ArrayBuffer[Emitted]()
  private var lives = 0
  private var commitLsn = 4000000000L + random.nextInt(1000)
  private var txId = 700L
  private var total = 0
  private var eventLsn = commitLsn
  private var evolved = false
  private var grown = false

  /** Key columns are the row's own; a key of one column leaves the code an ordinary column. */
  private def row(key: Key, body: Body): Vector[(String, Any)] = {
    val old = Vector("id" -> key.id, "code" -> key.code, "qty" -> body.qty, "note" -> body.note)
    val more = old :+ ("big" -> body.big)
    if (evolved) more :+ ("extra" -> body.extra) else more
  }

  private def image(key: Key): Vector[(String, Any)] = {
    val empty = row(key, Body(null, null, null, null, 0))
    empty.map { case (name, value) => name -> (if (settings.key.contains(name)) value else null) }
  }

  private def source(snapshot: String): Vector[(String, Any)] = Vector(
    "version" -> "3.6.1.Final",
    "connector" -> "postgresql",
    "name" -> "shop",
    "ts_ms" -> (1796014769559L + total),
    "snapshot" -> snapshot,
    "db" -> "shop",
    "sequence" ->
      (if (snapshot == "false") s"""["$commitLsn","$eventLsn"]""" else s"""[null,"$eventLsn"]"""),
    "schema" -> "public",
    "table" -> "things",
    "txId" -> txId,
    "lsn" -> eventLsn,
    "xmin" -> null
  )

  private def event(
      op: String,
      before: Vector[(String, Any)],
      after: Vector[(String, Any)],
      snapshot: String = "false"
  ): String = {
    total += 1
    val order = Vector[(String, Any)](
      "id" -> s"$txId:$commitLsn",
      "total_order" -> total,
      "data_collection_order" -> total
    )
    val payload = Vector[(String, Any)](
      "before" -> before,
      "after" -> after,
      "source" -> source(snapshot),
      "transaction" -> (if (settings.metadata && snapshot == "false") order else null),
      "op" -> op,
      "ts_ms" -> 1796014770773L
    )
    DebeziumText.record(payload, random.nextInt(100) < settings.typed, grown, evolved, settings.key)
  }

  private def emit(op: String, lines: Vector[String]): Unit =
    units += Emitted(op, lines, state.toMap)

  private def withTombstone(delete: String): Vector[String] =
    if (settings.tombstones) Vector(delete, "null") else Vector(delete)

  private def text(most: Int): String = {
    val pool = Vector("x", "\u00df", "\ud83e\udd80", "\"", "\\", "\t", "null", "0", " ")
    Vector.fill(random.nextInt(most))(pool(random.nextInt(pool.size))).mkString
  }

  private def maybe(value: => String): String = if (random.nextInt(4) == 0) null else value

  private def quantity(): java.lang.Long =
    if (random.nextInt(8) == 0) null
    else if (grown && random.nextInt(3) == 0) (1L << 40) + random.nextInt(1000)
    else random.nextInt(2000) - 1000L

  private def fresh(): Body = {
    lives += 1
    val extra = if (evolved) maybe(text(4)) else null
    Body(quantity(), maybe(text(6)), maybe("big" + text(9) * 20), extra, lives)
  }

  private def absent: Vector[Key] = keys.filterNot(key => state.keys.exists(clash(key, _)))

  /** Without the code in the key, two rows must not share an id. */
  private def clash(one: Key, other: Key): Boolean =
    if (settings.composite) one == other else one.id == other.id

  private def pick[A](all: collection.Seq[A]): A = all(random.nextInt(all.size))

  private def step(): Unit = eventLsn += 8 + random.nextInt(300)

  private def insert(): Unit = if (absent.nonEmpty) {
    val key = pick(absent)
    state(key) = fresh()
    step()
    emit("c", Vector(event("c", null, row(key, state(key)))))
  }

  /** The big value is left out, as TOAST does, when it did not change. */
  private def written(key: Key, old: Body, now: Body): Vector[(String, Any)] = {
    val stays =
      settings.leavesOut && old.big != null && old.big == now.big && random.nextInt(4) != 0
    row(key, if (stays) now.copy(big = DebeziumText.Unavailable) else now)
  }

  private def changed(old: Body): Body = {
    val big = if (random.nextInt(3) == 0) maybe("BIG" + text(9) * 20) else old.big
    val extra = if (evolved && random.nextBoolean()) maybe(text(4)) else old.extra
    old.copy(qty = quantity(), note = maybe(text(6)), big = big, extra = extra)
  }

  private def update(): Unit = if (state.nonEmpty) {
    val key = pick(state.keys.toVector)
    val old = state(key)
    val now = changed(old)
    // without the code in the key, an update may change it
    val renamed =
      if (!settings.composite && random.nextInt(5) == 0) key.copy(code = pick(codes)) else key
    state.remove(key)
    state(renamed) = now
    step()
    emit("u", Vector(event("u", null, written(renamed, old, now))))
  }

  private def delete(): Unit = if (state.nonEmpty) {
    val key = pick(state.keys.toVector)
    state.remove(key)
    step()
    emit("d", withTombstone(event("d", image(key), null)))
  }

  private def rekey(from: Key, to: Key): Unit = {
    val old = state(from)
    val now = changed(old)
    step()
    lives += 1
    state.remove(from)
    state(to) = now.copy(life = lives)
    val first = withTombstone(event("d", image(from), null))
    emit("dc", first :+ event("c", null, written(to, old, now)))
  }

  private def keyChange(): Unit =
    if (state.nonEmpty && absent.nonEmpty) rekey(pick(state.keys.toVector), pick(absent))

  private def swap(): Unit = if (state.size > 1 && absent.nonEmpty) {
    val one = pick(state.keys.toVector)
    val other = pick(state.keys.toVector.filterNot(_ == one))
    val spare = pick(absent)
    rekey(one, spare)
    rekey(other, one)
    rekey(spare, other)
  }

  private def truncate(): Unit = {
    state.clear()
    step()
    emit("t", Vector(event("t", null, null)))
  }

  private def transaction(): Unit = {
    txId += 1
    total = 0
    // a transaction's own changes may be older than the last commit before it
    eventLsn = commitLsn - random.nextInt(200)
    val changes = 1 + random.nextInt(5)
    for (_ <- 1 to changes) {
      random.nextInt(41) match {
        case n if n < 12 => insert()
        case n if n < 24 => update()
        case n if n < 30 => delete()
        case n if n < 36 => keyChange()
        case n if n < 39 => swap()
        case 39          => if (random.nextInt(3) == 0) truncate()
        case _           => hot()
      }
    }
    commitLsn = math.max(commitLsn, eventLsn) + 16 + random.nextInt(500)
  }

  /** Several changes of one key, one after another. */
  private def hot(): Unit = {
    insert()
    update()
    update()
    delete()
    insert()
  }

  private def snapshotReads(): Unit = {
    keys.filter(_ => random.nextInt(3) != 0).foreach { key =>
      if (!state.keys.exists(clash(key, _))) {
        val body = fresh()
        // the user's own text, which a snapshot read must keep
        val own = if (random.nextInt(6) == 0) body.copy(note = DebeziumText.Unavailable) else body
        state(key) = own
        emit("r", Vector(event("r", null, row(key, own), snapshot = "true")))
      }
    }
    commitLsn += 1000
  }

  def make(batchCount: Int): History = {
    if (settings.snapshot) {
      snapshotReads()
    }
    val fileCounts = Vector.fill(batchCount)(1 + random.nextInt(3))
    val batches = mutable.ArrayBuffer[Vector[LandedFile]]()
    var taken = 0
    for (count <- fileCounts) {
      if (!evolved && random.nextInt(batchCount) == 0) evolved = true
      if (!grown && random.nextInt(batchCount) == 0) grown = true
      val wanted = taken + count * (1 + random.nextInt(12))
      while (units.size < wanted) {
        transaction()
        commitLsn += 1
      }
      val files = Vector.newBuilder[LandedFile]
      for (i <- 1 to count) {
        val rest = units.size - taken
        val size = if (i == count) rest else math.min(rest, random.nextInt(rest + 1))
        val mine = units.slice(taken, taken + size).toVector
        val late = lateUnits(taken)
        taken += size
        val lines = arrange(mine, late).flatMap(_.lines)
        val after = if (taken == 0) Map.empty[Key, Body] else units(taken - 1).after
        if (lines.nonEmpty) files += LandedFile(lines, after)
      }
      val landed = files.result()
      if (landed.nonEmpty) batches += landed
    }
    History(settings, batches.toVector)
  }

  /** What is sent again: a whole stretch up to now, as after a restart, or single old events. */
  private def lateUnits(before: Int): Vector[Emitted] = {
    val sent = units.take(before).toVector
    // a snapshot read says nothing of its place among truncates, so it is not repeated after one
    val again = if (sent.exists(_.op == "t")) sent.filterNot(_.op == "r") else sent
    if (!settings.lateEvents || again.isEmpty) Vector.empty
    else
      random.nextInt(4) match {
        case 0 => again.takeRight(1 + random.nextInt(12))
        case 1 => Vector(pick(again))
        case _ => Vector.empty
      }
  }

  /** Late events come before the new ones, or after them. */
  private def arrange(fresh: Vector[Emitted], late: Vector[Emitted]): Vector[Emitted] =
    if (random.nextBoolean()) late ++ fresh else fresh ++ late
}
