package io.rowmark.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.rowmark", importOptions = ImportOption.DoNotIncludeTests.class)
class TestModuleRules {
  @ArchTest
  static final ArchRule NOTHING_DEPENDS_ON_THE_APP =
      noClasses()
          .that()
          .resideInAnyPackage("io.rowmark.formats..", "io.rowmark.index..", "io.rowmark.merge..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.rowmark.app..")
          .because("the app is the top: it may be replaced by another host");

  @ArchTest
  static final ArchRule APP_NAMES_NO_RELOCATED_CLASSES =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.iceberg.shaded..", "org.apache.iceberg.relocated..")
          .because("managed runtimes relocate what Iceberg bundles under other names");
}
