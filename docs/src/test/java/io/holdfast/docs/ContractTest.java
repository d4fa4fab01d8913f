package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.contract.EngineContract;
import io.holdfast.contract.LeaseContract;
import io.holdfast.contract.OperationContract;
import io.holdfast.contract.PublishContract;
import io.holdfast.contract.QuietLogContract;
import io.holdfast.contract.RefreshContract;
import io.holdfast.contract.SanctionContract;
import io.holdfast.contract.SaveContract;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The document and the suites speak of the same rules. */
class ContractTest {
    private static final Pattern RULE = Pattern.compile("(?m)^\\*\\*([A-Z]\\d+) ");
    private static final Pattern TEST = Pattern.compile("([a-z]\\d+)_\\w+");

    @Test
    void everyRuleHasATestAndEveryTestARule() throws IOException {
        List<String> rules = RULE.matcher(Files.readString(Path.of("contract.md")))
                .results()
                .map(rule -> rule.group(1))
                .toList();
        assertThat(rules).doesNotHaveDuplicates();
        assertThat(new TreeSet<>(rules)).isEqualTo(tested());
    }

    private static SortedSet<String> tested() {
        return Stream.of(
                        PublishContract.class,
                        LeaseContract.class,
                        SaveContract.class,
                        RefreshContract.class,
                        SanctionContract.class,
                        EngineContract.class,
                        OperationContract.class,
                        QuietLogContract.class)
                .flatMap(suite -> Arrays.stream(suite.getMethods()))
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .map(TEST::matcher)
                .flatMap(test -> test.matches() ? Stream.of(test.toMatchResult()) : Stream.empty())
                .map((MatchResult test) -> test.group(1).toUpperCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
