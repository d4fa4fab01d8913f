package io.holdfast.contract.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.contract.mutation.Verdict.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Judges mutants of an adapter that sends "guarded", and gets what it sent for an answer. */
final class JudgeTest {
    private static final Wire<String> WIRE = new Wire<>();

    private static final Mutant<String> UNGUARDED = replacing("s: unguarded", "guarded", "unguarded");
    private static final Mutant<String> UNCHANGED = replacing("t: unchanged", "guarded", "guarded");
    private static final Mutant<String> NONSENSE = replacing("s: nonsense", "guarded", "grdd");

    @TempDir
    private Path folder;

    private int wiped;
    private final Judge<String> judge = new Judge<>(WIRE, new Suites(List.of(Suite.class)), () -> wiped++);

    private static Mutant<String> replacing(String name, String part, String by) {
        return new Mutant<>(name, sent -> sent.replace(part, by));
    }

    /** Run by the judge alone. */
    static final class Suite {
        @Test
        void sees() {
            assertThat(send("guarded")).isEqualTo("guarded");
        }

        @Test
        void overlooks() {
            assertThat(send("guarded")).isNotEmpty();
        }

        @Test
        void sendsSomethingElse() {
            assertThat(send("other")).isEmpty();
        }

        private static String send(String text) {
            String sent = WIRE.send(text);
            if (sent.equals("grdd")) {
                WIRE.refuse("syntax error at grdd");
                throw new IllegalStateException("refused");
            }
            return sent;
        }
    }

    @Test
    void aMutantIsCaughtByATestThatTurnsRed() {
        assertThat(judge.judge(UNGUARDED, "Suite#sees").kind()).isEqualTo(Kind.CAUGHT);
        assertThat(judge.failure("Suite#sees")).isEmpty();
        assertThat(wiped).isEqualTo(2);
    }

    @Test
    void aMutantSurvivesATestThatStaysGreen() {
        assertThat(judge.judge(UNGUARDED, "Suite#overlooks").kind()).isEqualTo(Kind.SURVIVED);
    }

    @Test
    void aMutantThatChangesNothingIsNotCaught() {
        assertThat(judge.judge(UNCHANGED, "Suite#sees").kind()).isEqualTo(Kind.UNSENT);
    }

    /** It is red, though not because of the mutant. */
    @Test
    void aTestThatDoesNotSendItCatchesNothing() {
        assertThat(judge.judge(UNGUARDED, "Suite#sendsSomethingElse").kind()).isEqualTo(Kind.UNSENT);
    }

    @Test
    void whatTheServerRefusesToReadIsNotCaught() {
        assertThat(judge.judge(NONSENSE, "Suite#sees")).isEqualTo(new Verdict(Kind.REFUSED, "syntax error at grdd"));
    }

    @Test
    void theSearchFindsTheTestThatTurnsRed() {
        Judge<String>.Search search = judge.new Search();
        assertThat(search.verdict(UNGUARDED)).isEqualTo(new Verdict(Kind.CAUGHT, "Suite#sees"));
        assertThat(search.verdict(UNCHANGED).kind()).isEqualTo(Kind.UNSENT);
        assertThat(search.verdict(NONSENSE).kind()).isEqualTo(Kind.REFUSED);
    }

    @Test
    void whatTheTableDoesNotKnowOrKnowsWronglyIsAFinding() throws IOException {
        Path table = folder.resolve("mutants.txt");
        Files.writeString(table, """
                # a comment
                excused	EQUIVALENT	nobody could tell
                gone	Suite#sees
                t: unchanged	Suite#sees
                s: unguarded	Suite#sees
                """);
        Killers killers = new Killers(table);
        Mutant<String> excused = replacing("excused", "guarded", "guarded");
        Mutant<String> unknown = replacing("unknown", "guarded", "unguarded");
        assertThat(judge.findings(List.of(UNGUARDED, excused, UNCHANGED, unknown), killers))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("t: unchanged: UNSENT"),
                        second -> assertThat(second).startsWith("unknown: SURVIVED"));
        assertThat(killers.without(List.of("excused", "t: unchanged", "s: unguarded")))
                .containsExactly("gone");
    }

    @Test
    void theTableIsWrittenAsItIsRead() throws IOException {
        Path table = folder.resolve("mutants.txt");
        Files.writeString(table, "# a comment\nb\tSuite#sees\n");
        Killers killers = new Killers(table);
        killers.put("a", "Suite#overlooks");
        assertThat(table).hasContent("# a comment\na\tSuite#overlooks\nb\tSuite#sees\n");
        killers.remove("b");
        assertThat(new Killers(table).tests()).containsExactly("Suite#overlooks");
    }

    @Test
    void anExcuseNeedsAReason() throws IOException {
        Path table = folder.resolve("mutants.txt");
        Files.writeString(table, "a\tEQUIVALENT\n");
        assertThatThrownBy(() -> new Killers(table)).hasMessageContaining("says nothing of a");
    }
}
