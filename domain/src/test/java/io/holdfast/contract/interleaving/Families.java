package io.holdfast.contract.interleaving;

import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.interleaving.World.Act;
import io.holdfast.contract.interleaving.World.Scene;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RefreshTokenStore;
import java.time.Duration;
import java.util.List;

/** Families of refresh tokens: everything that may be done with one whose third generation is the current one. */
final class Families {
    private static final FamilyTerms TERMS =
            new FamilyTerms(Duration.ofDays(30), Duration.ofDays(7), Duration.ofMinutes(10));

    static final List<World> ALL = List.of(
            new World("a family that rotates", "R1 R2 R3 R7", store -> new Families(store).scene()),
            new World("a family that has rested", "R1 R2 R3 R4 R7", store -> new Families(store).rested()));

    private final EngineSubject store;
    private final FamilyId family = FamilyId.random();

    private Families(EngineSubject store) {
        this.store = store;
        store.refreshTokens().open(family, TERMS);
        rotate(store.refreshTokens(), 1);
        rotate(store.refreshTokens(), 2);
    }

    private Scene rested() {
        store.letPass(Duration.ofHours(1));
        return scene();
    }

    private Scene scene() {
        return new Scene() {
            @Override
            public List<Act> acts() {
                return List.of(
                        rotate("a tab", 3),
                        rotate("another tab", 3),
                        rotate("a slow tab", 2),
                        rotate("a very slow tab", 1),
                        rotate("who has seen what the row forgot", 4),
                        new Act("somebody logs out", ports -> {
                            ports.refreshTokens().revoke(family);
                            return "revoked";
                        }));
            }

            @Override
            public String end() {
                String left = rotate(store.refreshTokens(), 3);
                store.deleteByHand(family);
                return left;
            }
        };
    }

    private Act rotate(String who, long presented) {
        return new Act(who + " rotates " + presented, ports -> rotate(ports.refreshTokens(), presented));
    }

    private String rotate(RefreshTokenStore tokens, long presented) {
        return tokens.rotate(new Generation(family, presented))
                .fold(
                        rotated -> "rotated to " + rotated.successor().number(),
                        replayed -> "replayed, " + replayed.successor().number(),
                        reused -> "reused",
                        refused -> refused.why().name());
    }
}
