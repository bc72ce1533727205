package io.rowmark.merge;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.rowmark.merge", importOptions = ImportOption.DoNotIncludeTests.class)
class TestModuleRules {
  @ArchTest
  static final ArchRule MERGE_KNOWS_NO_COMMAND_LINE =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.rowmark.app..", "picocli..", "com.typesafe.config..")
          .because("a batch takes its orders as values, and runs under any host");

  @ArchTest
  static final ArchRule DECISIONS_AND_COMMITS_KNOW_NO_ENGINE =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.rowmark.merge.plan..",
              "io.rowmark.merge.commit..",
              "io.rowmark.merge.stage..",
              "io.rowmark.merge.ledger..",
              "io.rowmark.merge.report..",
              "io.rowmark.merge.spec..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.spark..", "org.apache.iceberg.spark..", "scala..")
          .because("what is decided and committed is tested, and reported, without an engine");

  @ArchTest
  static final ArchRule SPARK_STAYS_WHERE_ROWS_ARE =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.rowmark.merge",
              "io.rowmark.merge.source..",
              "io.rowmark.merge.normalize..",
              "io.rowmark.merge.resolve..",
              "io.rowmark.merge.write..",
              "io.rowmark.merge.migrate..",
              "io.rowmark.merge.convert..",
              "io.rowmark.merge.purge..",
              "io.rowmark.merge.maintain..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.spark..")
          .because("only the steps that move rows need the engine, in new packages as well");

  @ArchTest
  static final ArchRule MERGE_NAMES_NO_RELOCATED_CLASSES =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.iceberg.shaded..", "org.apache.iceberg.relocated..")
          .because("managed runtimes relocate what Iceberg bundles under other names");
}
