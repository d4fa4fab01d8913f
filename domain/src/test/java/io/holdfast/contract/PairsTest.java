package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PairsTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyTwoValuesMeet(long seed) {
        List<Integer> sizes = List.of(5, 2, 1, 4, 3);
        List<List<Integer>> rows = Pairs.of(sizes, new Random(seed));
        assertThat(rows).hasSizeBetween(5 * 4, 5 * 4 + 10);
        assertThat(rows).isEqualTo(Pairs.of(sizes, new Random(seed)));
        for (int a = 0; a < sizes.size(); a++) {
            for (int b = 0; b < a; b++) {
                int first = a;
                int second = b;
                assertThat(rows.stream()
                                .map(row -> List.of(row.get(first), row.get(second)))
                                .distinct())
                        .hasSize(sizes.get(a) * sizes.get(b));
            }
        }
    }
}
