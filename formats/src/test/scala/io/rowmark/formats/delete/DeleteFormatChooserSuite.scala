package io.rowmark.formats.delete

import java.util.{Set => JSet}

import scala.jdk.CollectionConverters._

import io.rowmark.formats.capability.CapabilityData
import io.rowmark.formats.capability.DeclaredReader
import io.rowmark.formats.delete.DeleteDecision.Fits
import io.rowmark.formats.delete.DeleteDecision.NoneFits
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Laws of the choice, for random readers, tables and permissions over the bundled data. */
class DeleteFormatChooserSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300)

  private val data = CapabilityData.bundled()
  private val conditions = data.conditions.asScala.toSeq

  /** Engines in each of the versions that something is said of, and without one. */
  private val everyReader: Seq[DeclaredReader] = data.engines.asScala.toSeq.flatMap { engine =>
    new DeclaredReader(engine, null) +: data
      .rows(engine)
      .asScala
      .filter(_.minVersion != null)
      .map(row => new DeclaredReader(engine, row.minVersion))
  }

  private val tables: Gen[TableState] = Gen.oneOf(
    Gen.const(new TableState.New(): TableState),
    for {
      version <- Gen.choose(1, 4)
      present <- Gen.someOf(DeleteFormat.values.toSeq)
    } yield new TableState.Existing(version, present.toSet.asJava): TableState
  )

  private val wishes: Gen[Wishes] = for {
    deletes <- Gen.frequency(3 -> WantedDeletes.AUTO, 1 -> Gen.oneOf(WantedDeletes.values.toSeq))
    version <- Gen.frequency(
      3 -> Wishes.WantedVersion.AUTO,
      1 -> Gen.oneOf(Wishes.WantedVersion.values.toSeq)
    )
    upgrade <- Gen.oneOf(Wishes.Upgrade.values.toSeq)
  } yield new Wishes(deletes, version, upgrade)

  private val requests: Gen[DeleteRequest] = for {
    readers <- Gen.choose(1, 5).flatMap(Gen.pick(_, everyReader))
    allowed <- Gen.someOf(conditions)
    catalog <- Gen.option(Gen.oneOf(data.catalogs.asScala.toSeq))
    table <- tables
    wished <- wishes
  } yield new DeleteRequest(
    audience(readers.toSeq, allowed.toSeq),
    catalog.map(data.catalog).orNull,
    table,
    wished,
    data
  )

  private def audience(readers: Seq[DeclaredReader], allowed: Seq[String]): Audience =
    new Audience(readers.asJava, new java.util.TreeSet(allowed.asJava))

  /** Said anew from the data alone, as a check of the chooser. */
  private def suits(request: DeleteRequest, format: DeleteFormat, version: Int): Boolean = {
    val readers = request.audience.readers.asScala.forall { reader =>
      val row = data.capability(reader)
      val allowed = request.audience.allowedOf(reader.engine)
      row.deletes(format).value.usable(allowed) &&
      (version < 3 || row.formatV3.value.usable(allowed))
    }
    val catalog = Option(request.catalog).forall { row =>
      val allowed = request.audience.allowedOf(row.name)
      row.deletes(format).value.usable(allowed) &&
      (version < 3 || row.formatV3.value.usable(allowed))
    }
    readers && catalog
  }

  /** The format versions that a table may have after the decision. */
  private def reachable(request: DeleteRequest): Set[Int] = {
    val wanted = request.wishes.version match {
      case Wishes.WantedVersion.V2 => Set(2)
      case Wishes.WantedVersion.V3 => Set(3)
      case _                       => Set(2, 3)
    }
    request.table match {
      case existing: TableState.Existing =>
        val from = existing.formatVersion
        val to =
          if (request.wishes.upgrade == Wishes.Upgrade.ALLOWED) (from to 3).toSet else Set(from)
        to.intersect(wanted)
      case _ => wanted
    }
  }

  private def writable(format: DeleteFormat, version: Int): Boolean = format match {
    case DeleteFormat.EQUALITY        => version == 2 || version == 3
    case DeleteFormat.POSITION        => version == 2
    case DeleteFormat.DELETION_VECTOR => version == 3
  }

  private def wantedFormats(request: DeleteRequest): Seq[DeleteFormat] =
    DeleteFormat.values.toSeq.filter(format =>
      request.wishes.deletes.format.map[Boolean](_ == format).orElse(true)
    )

  private def fitting(request: DeleteRequest): Seq[DeleteFormat] =
    wantedFormats(request).filter(format =>
      reachable(request).exists(version =>
        writable(format, version) && suits(request, format, version)
      )
    )

  private def cost(decision: DeleteDecision): Int = decision match {
    case fits: Fits => fits.format.ordinal
    case _          => Int.MaxValue
  }

  private def ruledOut(decision: DeleteDecision): Set[DeleteFormat] =
    decision.rulings.asScala.filter(_.rulesOut).map(_.format).toSet

  test("what fits suits every declared reader and the catalog, and can be written") {
    forAll(requests) { request =>
      DeleteFormatChooser.choose(request) match {
        case fits: Fits =>
          assert(suits(request, fits.format, fits.formatVersion))
          assert(writable(fits.format, fits.formatVersion))
          assert(reachable(request).contains(fits.formatVersion))
          assert(wantedFormats(request).contains(fits.format))
        case _ => succeed
      }
    }
  }

  test("the cheapest format that fits is chosen, and none only where none fits") {
    forAll(requests) { request =>
      DeleteFormatChooser.choose(request) match {
        case fits: Fits => assert(fitting(request).headOption.contains(fits.format))
        case _          => assert(fitting(request).isEmpty)
      }
    }
  }

  test("what stays in the table suits everyone, and the rest is to be converted") {
    forAll(requests) { request =>
      (DeleteFormatChooser.choose(request), request.table) match {
        case (fits: Fits, table: TableState.Existing) =>
          val converted = fits.needs.asScala
            .collect { case need: Need.ConvertDeletes =>
              need.kinds.asScala
            }
            .flatten
            .toSet
          val staying = table.present.asScala.toSet -- converted
          assert(staying.forall(kind => suits(request, kind, 2)))
          assert(converted.subsetOf(table.present.asScala.toSet))
          assert(!converted.contains(fits.format))
        case _ => succeed
      }
    }
  }

  test("another reader never widens the choice nor makes it cheaper") {
    forAll(requests, Gen.oneOf(everyReader)) { (request, reader) =>
      val more = request.`with`(
        audience(
          request.audience.readers.asScala.toSeq :+ reader,
          request.audience.allowed.asScala.toSeq
        )
      )
      val before = DeleteFormatChooser.choose(request)
      val after = DeleteFormatChooser.choose(more)
      assert(ruledOut(before).subsetOf(ruledOut(after)))
      assert(cost(after) >= cost(before))
    }
  }

  test("a format upgrade needs permission, and is never asked for downwards") {
    forAll(requests) { request =>
      DeleteFormatChooser.choose(request) match {
        case fits: Fits =>
          fits.needs.asScala.collect { case need: Need.UpgradeFormat => need }.foreach { need =>
            assert(request.wishes.upgrade == Wishes.Upgrade.ALLOWED)
            assert(need.from < need.to && need.to == fits.formatVersion)
          }
        case _ => succeed
      }
    }
  }

  test("every conflict rules out all formats, and nobody in it can be left out") {
    forAll(requests) { request =>
      DeleteFormatChooser.choose(request) match {
        case none: NoneFits =>
          assert(!none.conflicts.isEmpty)
          none.conflicts.asScala.foreach { conflict =>
            def excluded(parties: Seq[Party]): JSet[DeleteFormat] =
              conflict.rulings.asScala
                .filter(ruling => parties.contains(ruling.party))
                .map(_.format)
                .toSet
                .asJava
            val parties = conflict.parties.asScala.toSeq
            assert(excluded(parties).size == DeleteFormat.values.length)
            parties.foreach(party =>
              assert(excluded(parties.filter(_ != party)).size < DeleteFormat.values.length)
            )
          }
        case _ => succeed
      }
    }
  }

  test("every remedy helps, with no step too many") {
    forAll(requests) { request =>
      DeleteFormatChooser.choose(request) match {
        case none: NoneFits =>
          none.remedies.asScala.foreach { remedy =>
            val steps = remedy.steps.asScala.toSeq
            def after(some: Seq[Remedy.Step]): DeleteDecision =
              DeleteFormatChooser.choose(
                some.foldLeft(request)((mended, step) => step.applyTo(mended))
              )
            after(steps) match {
              case fits: Fits =>
                assert(fits.format == remedy.format && fits.formatVersion == remedy.formatVersion)
              case _ => fail(s"does not help: ${remedy.text}")
            }
            steps.foreach(step => assert(after(steps.filter(_ != step)).isInstanceOf[NoneFits]))
          }
        case _ => succeed
      }
    }
  }

  test("the same request is answered alike") {
    forAll(requests) { request =>
      assert(DeleteFormatChooser.choose(request) == DeleteFormatChooser.choose(request))
    }
  }
}
