package io.rowmark.index;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.rowmark.index", importOptions = ImportOption.DoNotIncludeTests.class)
class TestModuleRules {
  @ArchTest
  static final ArchRule INDEX_KNOWS_NO_BATCHES =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.rowmark.merge..", "io.rowmark.app..")
          .because("the index of a table is built and verified without any batch or command line");

  @ArchTest
  static final ArchRule INDEX_NAMES_NO_RELOCATED_CLASSES =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.iceberg.shaded..", "org.apache.iceberg.relocated..")
          .because("managed runtimes relocate what Iceberg bundles under other names");
}
