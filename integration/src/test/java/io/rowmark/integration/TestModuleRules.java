package io.rowmark.integration;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.rowmark", importOptions = ImportOption.DoNotIncludeTests.class)
class TestModuleRules {
  @ArchTest
  static final ArchRule INTEGRATION_HAS_NO_MAIN_SOURCES =
      classes()
          .should()
          .resideOutsideOfPackage("io.rowmark.integration..")
          .because("integration holds tests only; what others need belongs into a lower module");

  @ArchTest
  static final ArchRule NOTHING_DEPENDS_ON_INTEGRATION =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.rowmark.integration..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.rowmark.integration..")
          .because("integration is tested with everything and is part of nothing");
}
