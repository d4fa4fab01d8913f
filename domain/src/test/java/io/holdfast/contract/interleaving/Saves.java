package io.holdfast.contract.interleaving;

import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.interleaving.World.Act;
import io.holdfast.contract.interleaving.World.Scene;
import io.holdfast.save.Ending;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.SaveTokenStore.EndOutcome;
import io.holdfast.save.TokenDigest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Save tokens: everything that may be done with one. */
final class Saves {
    private static final SilenceLimit LIMIT = SilenceLimit.of(Duration.ofMinutes(5));

    static final List<World> ALL = List.of(
            new World("a save token that is new", "G1 G2 G5 G8 S1 S3 S4", store -> new Saves(store).issued()),
            new World("a save token that is reserved", "G5 G6 G8 G12 S2 S3 S5", store -> new Saves(store).held()),
            new World(
                    "a save token whose holder is silent",
                    "G1 G5 G6 G7 G12 S2 S4 S5 S6",
                    store -> new Saves(store).silent()));

    private final EngineSubject store;
    private final TokenDigest token = SaveToken.random().digest();
    private final Names names = new Names();

    private Saves(EngineSubject store) {
        this.store = store;
        store.saveTokens().issue(token, Duration.ofDays(1), IfInDoubt.RUN_AGAIN);
    }

    private Scene issued() {
        ReserveRequest b = wish("b", "chapter 7");
        return scene(List.of(
                reserve("b", b),
                reserve("b again", b),
                reserve("c", wish("c", "chapter 7")),
                reserve("d, who has another payload,", wish("d", "chapter 8"))));
    }

    private Scene held() {
        ReserveRequest wish = wish("a", "chapter 7");
        return scene(acts(wish, take(wish)));
    }

    private Scene silent() {
        ReserveRequest wish = wish("a", "chapter 7");
        Reservation a = take(wish);
        store.letPass(Duration.ofHours(1));
        return scene(acts(wish, a));
    }

    private List<Act> acts(ReserveRequest wish, Reservation a) {
        return List.of(
                reserve("b", wish("b", "chapter 7")),
                reserve("c", wish("c", "chapter 7")),
                reserve("a again", wish),
                new Act(
                        "a renews",
                        ports -> names.told(ports.saveTokens().renew(List.of(a)).get(a))),
                end(a, result("by a")),
                end(a, new Ending.NotSaved()),
                new Act(
                        "it is settled",
                        ports -> told(ports.saveTokens().settle(token, a.fence(), result("settled")))));
    }

    private ReserveRequest wish(String name, String payload) {
        return new ReserveRequest(token, names.attempt(name), Fingerprint.of(bytes(payload)), new Holder(name), LIMIT);
    }

    private static SaveResult result(String text) {
        return SaveResult.of(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Reservation take(ReserveRequest wish) {
        if (store.saveTokens().reserve(wish) instanceof Reserved won) {
            return won.reservation();
        }
        throw new AssertionError("nobody was in the way of " + wish);
    }

    private Act reserve(String who, ReserveRequest wish) {
        return new Act(who + " reserves", ports -> told(ports.saveTokens().reserve(wish)));
    }

    private Act end(Reservation hold, Ending ending) {
        return new Act(
                "a ends, " + told(ending), ports -> told(ports.saveTokens().end(hold, ending)));
    }

    private String told(ReserveOutcome outcome) {
        return outcome.fold(
                reserved -> "reserved, taken over from " + names.of(reserved.takenOverFrom()),
                over -> "over",
                this::told);
    }

    private String told(Refusal refusal) {
        if (refusal instanceof Refusal.InProgress told) {
            return "in progress by " + names.of(told.by());
        }
        if (refusal instanceof Refusal.InDoubt told) {
            return "in doubt by " + names.of(told.by());
        }
        if (refusal instanceof Refusal.Completed told) {
            return told((EndOutcome) told.result());
        }
        return refusal.getClass().getSimpleName();
    }

    private String told(EndOutcome outcome) {
        return outcome.fold(
                saved -> "saved " + new String(saved.bytes(), StandardCharsets.UTF_8),
                notSaved -> "not saved",
                lost -> "lost to " + names.incumbent(lost.to()));
    }

    private Scene scene(List<Act> acts) {
        return new Scene() {
            @Override
            public List<Act> acts() {
                return acts;
            }

            @Override
            public String end() {
                String left = told(store.saveTokens().reserve(wish("the next one", "chapter 7")));
                store.deleteByHand(token);
                return left;
            }
        };
    }
}
