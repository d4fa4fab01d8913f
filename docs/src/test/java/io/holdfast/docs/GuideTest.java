package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What the documents show as Java is what is compiled and run here: a block that follows {@code <!-- sample:
 * Embedding#wiring -->} is the region of that name in that file, to the letter.
 */
class GuideTest {
    private static final Pattern BLOCK =
            Pattern.compile("(<!-- sample: (\\w+)#(\\w+) -->\\n)?```java\\n(.*?)```", Pattern.DOTALL);

    @TestFactory
    Stream<DynamicTest> everySampleIsTheCodeThatIsTested() {
        List<Path> documents = Stream.of("../README.md", "guide.md", "contract.md")
                .map(Path::of)
                .toList();
        return documents.stream().flatMap(document -> {
            List<DynamicTest> tests = BLOCK.matcher(read(document))
                    .results()
                    .map(block ->
                            DynamicTest.dynamicTest(document + " " + block.group(2) + "#" + block.group(3), () -> {
                                assertThat(block.group(1))
                                        .as("a sample without its source: %s", block.group(4))
                                        .isNotNull();
                                assertThat(block.group(4)).isEqualTo(region(block.group(2), block.group(3)));
                            }))
                    .toList();
            assertThat(tests).as("samples in %s", document).isNotEmpty();
            return tests.stream();
        });
    }

    private static String region(String file, String tag) {
        String source = read(Path.of("src/test/java/io/holdfast/docs/" + file + ".java"));
        Matcher region = Pattern.compile("( *)// tag::" + tag + "\\n(.*?) *// end::" + tag + "\\n", Pattern.DOTALL)
                .matcher(source);
        assertThat(region.find()).as("region %s in %s.java", tag, file).isTrue();
        return region.group(2)
                .lines()
                .map(line -> line.replaceFirst("^" + region.group(1), "") + "\n")
                .reduce("", String::concat);
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new AssertionError(path + " is named as a document and can't be read", e);
        }
    }
}
