package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.contract.Evidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProofTest {
    @TempDir
    private Path root;

    @Test
    void aFindingStandsInThePageAndSoDoesTheSeed() throws IOException {
        write("docs/contract.md", "**G1 One winner.** Of any number.\n");
        write(
                "adapters-x/target/proof/HISTORIES.tsv",
                "HISTORIES\tX 1.2\tG1 G5\tlease, with lost replies\t1200\t0\t1\tseed 4711\n");
        write("adapters-x/target/proof/MUTANTS.tsv", "MUTANTS\tX 1.2\tG5\tXStatements\t80\t3\t0\t\n");
        write("adapters-x/target/engines/XTest.txt", "XTest\tX\t1.2 (build 3)\n");
        write(
                "adapters-x/target/surefire-reports/TEST-XTest.xml",
                "<testsuite><testcase name=\"g1_ofManyOneWins\" classname=\"XTest\" time=\"0.1\"/></testsuite>");
        assertThat(Proof.page(root, "today"))
                .contains("Run: today. Met: X 1.2.")
                .contains("| X 1.2 |  | 1,200 **1 FOUND** | 80 (3 equivalent) |")
                .contains("| G1 One winner | 1 |  | 1,200 **1 FOUND** |")
                .contains("| lease, with lost replies | X 1.2 | G1 G5 | 1,200 **1 FOUND** | seed 4711 |")
                .contains("## What is not proven");
    }

    /** Whatever the modules before this one have shown in this run. */
    @Test
    void everyAttackNamesRulesOfTheContract() throws IOException {
        Set<String> named = new TreeSet<>();
        Proof.evidence(Path.of("..")).map(Evidence::rules).forEach(named::addAll);
        assertThat(Proof.rules(Path.of("..")).keySet()).isNotEmpty().containsAll(named);
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
