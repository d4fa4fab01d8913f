package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal.Completed;
import io.holdfast.save.Refusal.InProgress;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.TokenDigest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Very many who save with one token, again and again: far more than the contract has, for an engine's own test. */
public final class SaveHammer {
    private static final Fingerprint PAYLOAD = SaveTrial.fingerprint("chapter 7");

    private SaveHammer() {}

    /** Each round has a new token. All who come with it get the result of the one who has saved. */
    public static void redeem(SaveTokenStore tokens, int threads, int rounds) {
        for (int round = 0; round < rounds; round++) {
            TokenDigest token = SaveToken.random().digest();
            tokens.issue(token, SaveTrial.VALID, IfInDoubt.REFUSE);
            Reservation won = assertOne(Contenders.race(threads, n -> reserve(tokens, token, n)));
            SaveResult result = SaveTrial.result("result of round " + round);
            assertThat(tokens.end(won, result)).isEqualTo(result);
            assertThat(Contenders.race(threads, n -> reserve(tokens, token, n))).containsOnly(new Completed(result));
        }
    }

    private static ReserveOutcome reserve(SaveTokenStore tokens, TokenDigest token, int n) {
        return tokens.reserve(new ReserveRequest(
                token, AttemptId.random(), PAYLOAD, new Holder("thread-" + n), SilenceLimit.of(Trial.LIMIT)));
    }

    private static Reservation assertOne(List<ReserveOutcome> outcomes) {
        List<Reserved> winners = Trial.of(Reserved.class, outcomes);
        assertThat(winners).as("winners among %s", outcomes).hasSize(1);
        Reservation won = winners.get(0).reservation();
        assertThat(Trial.of(InProgress.class, outcomes))
                .hasSize(outcomes.size() - 1)
                .allSatisfy(loser -> SaveTrial.assertIs(won, loser.by()));
        return won;
    }

    /**
     * Makes tokens and brings them into every state that a row can be in, and then asserts that nothing of them is in the
     * store (S8).
     *
     * @param dump everything that the store has; bytes in hexadecimal or in base64
     */
    public static void assertNoTokenIn(SaveSubject store, Supplier<String> dump) {
        List<SaveToken> tokens = Stream.generate(SaveToken::random).limit(5).toList();
        List<SaveTrial> trials = tokens.stream()
                .map(token -> new SaveTrial(store, store.saveTokens(), token.digest(), PAYLOAD)
                        .issued(SaveTrial.VALID, IfInDoubt.RUN_AGAIN))
                .toList();
        trials.get(1).takenBy("a");
        trials.get(2).ended("a", SaveTrial.NOT_SAVED);
        trials.get(3).ended("a", SaveTrial.RESULT);
        trials.get(4).takenBy("a");
        store.letPass(Trial.LIMIT);
        trials.get(4).takenBy("b");
        String all = dump.get();
        String lower = all.toLowerCase(Locale.ROOT);
        for (SaveToken token : tokens) {
            // So that what is searched for would be found: the digest is there.
            assertThat(lower.contains(token.digest().toString())
                            || all.contains(base64(token.digest().bytes())))
                    .as("the digest %s is in %s", token.digest(), all)
                    .isTrue();
            String secret = token.reveal().substring(SaveToken.PREFIX.length());
            for (byte[] bytes : List.of(
                    secret.getBytes(StandardCharsets.US_ASCII),
                    Base64.getUrlDecoder().decode(secret))) {
                assertThat(lower).doesNotContain(HexFormat.of().formatHex(bytes));
                assertThat(all).doesNotContain(base64(bytes));
            }
            assertThat(all).doesNotContain(secret);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().withoutPadding().encodeToString(bytes);
    }
}
