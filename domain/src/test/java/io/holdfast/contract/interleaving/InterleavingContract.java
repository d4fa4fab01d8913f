package io.holdfast.contract.interleaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.contract.Seeds;
import io.holdfast.contract.interleaving.Interleaver.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Whatever two or three do at once comes to what it would have come to one after the other: in every order of their
 * statements, everybody is told what they would be told, and the same is left.
 */
public interface InterleavingContract {
    /** Of three at once; each with orders of its own. */
    int ROUNDS = 12;

    /** Of each round, besides the six in which one comes after the other. */
    int ORDERS = 20;

    SteppedServer server();

    @TestFactory
    default Stream<DynamicTest> twoAtOnceInAllOrders() {
        return World.all().map(world -> dynamicTest(world.name(), () -> assertLikeOneByOne(world)));
    }

    private void assertLikeOneByOne(World world) throws Exception {
        Tally tally = new Tally();
        try (Interleaver interleaver = new Interleaver(server(), 2, UnaryOperator.identity())) {
            int acts = interleaver.acts(world).size();
            for (int first = 0; first < acts; first++) {
                for (int second = first + 1; second < acts; second++) {
                    Orders orders = Orders.all(server().interruptions());
                    tally.add(interleaver.run(world, List.of(first, second), orders));
                }
            }
            String bound = server().interruptions() == Integer.MAX_VALUE
                    ? ""
                    : " with interruptions up to " + server().interruptions();
            tally.tell(
                    server().met(),
                    world.rules(),
                    world.name() + ": each two of " + acts + " calls at once, in all orders" + bound,
                    "");
        }
        assertThat(tally.findings()).isEmpty();
        assertThat(tally.errors()).isSubsetOf(server().quiet());
    }

    /** Three have too many orders: calls of one world, and orders of them, are drawn by lot. */
    @Test
    @Tag("soak")
    default void threeAtOnceInOrdersByLot() throws Exception {
        List<World> worlds = World.all().toList();
        Tally tally = new Tally();
        try (Interleaver interleaver = new Interleaver(server(), 3, UnaryOperator.identity())) {
            String note = "";
            try {
                note = Seeds.each(server().met() + ", three at once", ROUNDS, seed -> {
                            Random random = new Random(seed);
                            World world = worlds.get(random.nextInt(worlds.size()));
                            tally.add(interleaver.run(
                                    world, three(interleaver.acts(world), random), Orders.some(3, ORDERS, seed)));
                            assertThat(tally.findings()).isEmpty();
                        })
                        .toString();
            } finally {
                tally.tell(server().met(), "G1 G2 G5 G8", "any three calls at once, in orders drawn by lot", note);
            }
        }
    }

    private static List<Integer> three(List<String> acts, Random random) {
        List<Integer> all =
                new ArrayList<>(IntStream.range(0, acts.size()).boxed().toList());
        Collections.shuffle(all, random);
        return all.subList(0, 3);
    }

    /** So that what only an order of statements brings to light would be seen. */
    @Test
    default void twoWinnersAreFoundWhereTheGuardIsLookedAtOnce() throws Exception {
        assertFound(Leases.SILENT, "b acquires", "c acquires");
    }

    @Test
    default void twoEndingsAreFoundWhereTheGuardIsLookedAtOnce() throws Exception {
        assertFound(Sanctions.ACTIVE, "a is lifted by x", "a is lifted by y");
    }

    private void assertFound(World world, String... acts) throws Exception {
        try (Interleaver interleaver = new Interleaver(server(), acts.length, server()::lookedAtOnce)) {
            List<String> all = interleaver.acts(world);
            Result result =
                    interleaver.run(world, Stream.of(acts).map(all::indexOf).toList(), Orders.all(1));
            assertThat(result.findings()).isNotEmpty();
        }
    }
}
