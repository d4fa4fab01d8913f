package io.holdfast.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The arrows: app, adapters, domain. Rules allow rather than forbid, because a misspelt package in a list of what is allowed
 * fails, and in a list of what is forbidden passes. Each rule is shown to report a violation that is planted in the test
 * sources.
 */
class HexagonTest {
    private static final String[] DOMAIN = {
        "io.holdfast",
        "io.holdfast.publish..",
        "io.holdfast.lease..",
        "io.holdfast.release..",
        "io.holdfast.save..",
        "io.holdfast.refresh..",
        "io.holdfast.sanction.."
    };

    private static final JavaClasses ALL = new ClassFileImporter().importPackages("io.holdfast");
    private static final JavaClasses MAIN = ALL.that(describe("main", HexagonTest::isMain));
    private static final JavaClasses CONTRACT = ALL.that(describe("the contract", HexagonTest::isContract));

    /** A rule, what it is asked of, and a class that it must report; empty if a rule of the same making has one. */
    private record Guard(String name, ArchRule rule, JavaClasses on, String planted) {}

    private static Stream<Guard> guards() {
        return Stream.of(
                new Guard("arrows point inwards", arrows(), MAIN, "io.holdfast.postgres.PlantedSibling"),
                new Guard("the domain is pure", purity(), MAIN, "io.holdfast.publish.PlantedSql"),
                new Guard("only Clocks looks at a clock", clocks(), MAIN, "io.holdfast.publish.PlantedClock"),
                new Guard(
                        "postgres has one public type",
                        publicType("postgres", "PostgresStores"),
                        MAIN,
                        "io.holdfast.postgres.PlantedSibling"),
                new Guard("mysql has one public type", publicType("mysql", "MysqlStores"), MAIN, ""),
                new Guard("mongo has one public type", publicType("mongo", "MongoStores"), MAIN, ""),
                new Guard(
                        "postgres knows its driver alone",
                        driver("postgres", "org.postgresql.."),
                        MAIN,
                        "io.holdfast.postgres.PlantedSibling"),
                new Guard("mysql knows its driver alone", driver("mysql", "com.mysql.cj.."), MAIN, ""),
                new Guard(
                        "mongo knows its driver alone",
                        driver("mongo", "com.mongodb..", "org.bson.."),
                        MAIN,
                        "io.holdfast.mongo.PlantedDriver"),
                new Guard("the contract knows no store", contract(), CONTRACT, "io.holdfast.contract.PlantedFixture"));
    }

    @TestFactory
    Stream<DynamicTest> holds() {
        return guards().map(guard ->
                DynamicTest.dynamicTest(guard.name(), () -> guard.rule().check(guard.on())));
    }

    /** The rules that are made for each adapter are shown to bite on one of them. */
    @TestFactory
    Stream<DynamicTest> bites() {
        return guards().filter(guard -> !guard.planted().isEmpty())
                .map(guard -> DynamicTest.dynamicTest(guard.name(), () -> {
                    JavaClasses withPlanted = ALL.that(describe(
                            "the real ones and a planted one",
                            type -> guard.on().contain(type.getName())
                                    || type.getName().equals(guard.planted())));
                    assertThat(guard.rule()
                                    .evaluate(withPlanted)
                                    .getFailureReport()
                                    .getDetails())
                            .isNotEmpty()
                            .allSatisfy(detail -> assertThat(detail).contains(guard.planted()));
                }));
    }

    @Test
    void noRulePassesOnNothing() {
        Map<String, Long> found = MAIN.stream()
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(
                        type -> type.getPackageName().replaceFirst("^(io\\.holdfast\\.?\\w*).*", "$1"),
                        Collectors.counting()));
        assertThat(found.get("io.holdfast")).isGreaterThan(15);
        assertThat(found.get("io.holdfast.publish")).isGreaterThan(20);
        assertThat(found.get("io.holdfast.postgres")).isGreaterThan(5);
        assertThat(found.get("io.holdfast.mysql")).isGreaterThan(5);
        assertThat(found.get("io.holdfast.mongo")).isGreaterThan(5);
        assertThat(found.get("io.holdfast.app")).isGreaterThan(20);
        assertThat(found.keySet())
                .containsExactlyInAnyOrder(
                        "io.holdfast",
                        "io.holdfast.publish",
                        "io.holdfast.lease",
                        "io.holdfast.release",
                        "io.holdfast.save",
                        "io.holdfast.refresh",
                        "io.holdfast.sanction",
                        "io.holdfast.postgres",
                        "io.holdfast.mysql",
                        "io.holdfast.mongo",
                        "io.holdfast.app");
        assertThat(CONTRACT).hasSizeGreaterThan(3);
    }

    private static ArchRule arrows() {
        return layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("domain")
                .definedBy(DOMAIN)
                .layer("postgres")
                .definedBy("io.holdfast.postgres..")
                .layer("mysql")
                .definedBy("io.holdfast.mysql..")
                .layer("mongo")
                .definedBy("io.holdfast.mongo..")
                .layer("app")
                .definedBy("io.holdfast.app..")
                .whereLayer("domain")
                .mayNotAccessAnyLayer()
                .whereLayer("postgres")
                .mayOnlyAccessLayers("domain")
                .whereLayer("mysql")
                .mayOnlyAccessLayers("domain")
                .whereLayer("mongo")
                .mayOnlyAccessLayers("domain")
                .whereLayer("app")
                .mayNotBeAccessedByAnyLayer();
    }

    /** Not java.lang.reflect, java.io, java.sql or java.net.http: {@code java..} would let them in. */
    private static ArchRule purity() {
        return classes()
                .that()
                .resideInAnyPackage(DOMAIN)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(DOMAIN)
                        .or(resideInAnyPackage(
                                "java.lang",
                                "java.lang.annotation",
                                "java.lang.invoke",
                                "java.lang.runtime",
                                "java.util..",
                                "java.time..",
                                "java.net",
                                "java.nio..",
                                "java.security..",
                                "javax.crypto..",
                                "org.jspecify.annotations"))
                        .or(describe("java.io.Serial", type -> type.getName().equals("java.io.Serial"))));
    }

    private static ArchRule clocks() {
        DescribedPredicate<JavaAccess<?>> clock = describe("a wall clock", access -> isClock(access.getTarget()));
        return noClasses()
                .that()
                .resideInAnyPackage(DOMAIN)
                .and()
                .doNotHaveFullyQualifiedName("io.holdfast.Clocks")
                .should()
                .accessTargetWhere(clock);
    }

    private static boolean isClock(AccessTarget target) {
        String owner = target.getOwner().getName();
        String name = target.getName();
        return (owner.startsWith("java.time.") && (name.equals("now") || name.startsWith("system")))
                || (owner.equals("java.lang.System") && name.equals("currentTimeMillis"))
                || (owner.equals("java.util.Date") && name.equals("<init>"));
    }

    private static ArchRule publicType(String adapter, String only) {
        return classes()
                .that()
                .resideInAPackage("io.holdfast." + adapter + "..")
                .and(describe(
                        "are public", (JavaClass type) -> type.getModifiers().contains(JavaModifier.PUBLIC)))
                .and()
                .areTopLevelClasses()
                .should()
                .haveFullyQualifiedName("io.holdfast." + adapter + "." + only);
    }

    private static ArchRule driver(String adapter, String... packages) {
        return classes()
                .that()
                .resideInAPackage("io.holdfast." + adapter + "..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(DOMAIN)
                        .or(resideInAnyPackage(packages))
                        .or(resideInAnyPackage(
                                "io.holdfast." + adapter + "..", "java..", "javax.sql..", "org.jspecify.annotations")));
    }

    private static ArchRule contract() {
        return classes()
                .that()
                .resideInAPackage("io.holdfast.contract")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(DOMAIN)
                        .or(resideInAPackage("io.holdfast.contract"))
                        .or(resideInAnyPackage(
                                "java..", "org.jspecify.annotations", "org.junit.jupiter..", "org.assertj..")));
    }

    private static boolean isMain(JavaClass type) {
        String source = type.getSource().orElseThrow().getUri().toString();
        // The contract comes in a jar when the build goes as far as making one.
        return !source.contains("/test-classes/") && !source.contains("-tests.jar");
    }

    private static boolean isContract(JavaClass type) {
        return type.getPackageName().equals("io.holdfast.contract")
                && !type.getSimpleName().startsWith("Planted");
    }
}
