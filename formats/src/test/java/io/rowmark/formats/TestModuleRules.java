package io.rowmark.formats;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.rowmark.formats",
    importOptions = ImportOption.DoNotIncludeTests.class)
class TestModuleRules {
  @ArchTest
  static final ArchRule FORMATS_KNOW_NO_ENGINE =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.spark..", "org.apache.iceberg.spark..", "org.rocksdb..")
          .because("the rules must run, and be tested, without an engine");

  @ArchTest
  static final ArchRule FORMATS_STAND_ALONE =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.rowmark.index..", "io.rowmark.merge..", "io.rowmark.app..")
          .because("formats is below every other module");

  @ArchTest
  static final ArchRule FORMATS_NAME_NO_RELOCATED_CLASSES =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.iceberg.shaded..", "org.apache.iceberg.relocated..")
          .because("managed runtimes relocate what Iceberg bundles under other names");
}
