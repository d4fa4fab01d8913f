package io.holdfast.contract.interleaving;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.interleaving.World.Act;
import io.holdfast.contract.interleaving.World.Scene;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Apps: everything that may be done to one, and to a second one that wants its slug. */
final class Publishes {
    private static final SilenceLimit LIMIT = SilenceLimit.of(Duration.ofMinutes(5));
    private static final Duration AN_HOUR = Duration.ofHours(1);

    static final List<World> ALL = List.of(
            new World("an app that is new", "G1 G2 G5 G8 C1 C4 C11", store -> new Publishes(store).nobodys()),
            new World("an app that has ended", "G1 G2 G5 G8 G12 C2 C4 C11", store -> new Publishes(store).ended()),
            new World("an app that is held", "G2 G5 G6 G8 G12 G15 C3 C8", store -> new Publishes(store).held()),
            new World(
                    "an app whose holder is silent",
                    "G1 G5 G6 G7 G8 G15 C6 C8 C9",
                    store -> new Publishes(store).silent()));

    private final EngineSubject store;
    private final AppId app = AppId.of("app-" + UUID.randomUUID());
    private final AppId other = AppId.of("other-" + UUID.randomUUID());
    private final Slug slug = Slug.of("s-" + UUID.randomUUID());
    private final Names names = new Names();
    private final Map<AttemptId, Fence> granted = new ConcurrentHashMap<>();

    private Publishes(EngineSubject store) {
        this.store = store;
    }

    private Scene nobodys() {
        ClaimRequest b = wish("b", app, Optional.empty());
        return scene(List.of(
                claim("b claims", b),
                claim("b claims again", b),
                claim("c claims with a request key", wish("c", app, Optional.of("key"))),
                claim("d claims with that key", wish("d", app, Optional.of("key"))),
                claim("e claims another app under that slug", wish("e", other, Optional.empty()))));
    }

    private Scene ended() {
        ClaimRequest request = wish("a", app, Optional.of("old key"));
        Claim a = take(request);
        store.claims().finish(a, new Ending.Failed("it did not compile"));
        ClaimRequest b = wish("b", app, Optional.of("key"));
        return scene(List.of(
                claim("b claims with a request key", b),
                claim("b claims again", b),
                claim("c claims with that key", wish("c", app, Optional.of("key"))),
                claim("d claims with the key of a", wish("d", app, Optional.of("old key"))),
                claim("a claims again", request),
                finish(a, new Ending.Live(URI.create("https://a.example"))),
                evict(a, Succession.AT_ONCE)));
    }

    private Scene held() {
        ClaimRequest request = wish("a", app, Optional.of("old key"));
        return scene(acts(request, take(request), Succession.WHEN_SILENT));
    }

    private Scene silent() {
        ClaimRequest request = wish("a", app, Optional.of("old key"));
        Claim a = take(request);
        store.letPass(AN_HOUR);
        List<Act> acts = new ArrayList<>(acts(request, a, Succession.AT_ONCE));
        acts.add(claim("c claims", wish("c", app, Optional.empty())));
        acts.add(new Act("clean-up", ports -> ended(ports.claims().endSilent(10, AN_HOUR))));
        return scene(acts);
    }

    private List<Act> acts(ClaimRequest request, Claim a, Succession succession) {
        return List.of(
                claim("b claims", wish("b", app, Optional.empty())),
                claim("a claims again", request),
                claim("d claims with the key of a", wish("d", app, Optional.of("old key"))),
                finish(a, new Ending.Live(URI.create("https://a.example"))),
                finish(a, new Ending.NotStarted("nobody was there")),
                new Act(
                        "a renews",
                        ports -> names.told(ports.claims().renew(List.of(a)).get(a))),
                evict(a, succession));
    }

    private ClaimRequest wish(String name, AppId what, Optional<String> key) {
        return new ClaimRequest(names.attempt(name), what, slug, new Holder(name), LIMIT, key.map(RequestKey::of));
    }

    private Claim take(ClaimRequest request) {
        if (store.claims().claim(request) instanceof Claimed won) {
            granted.put(request.attempt(), won.claim().fence());
            return won.claim();
        }
        throw new AssertionError("nobody was in the way of " + request);
    }

    private Act claim(String name, ClaimRequest request) {
        return new Act(name, ports -> told(request, ports.claims().claim(request)));
    }

    private Act finish(Claim claim, Ending ending) {
        return new Act(
                "a finishes as " + told(ending),
                ports -> ports.claims()
                        .finish(claim, ending)
                        .fold(
                                ended -> "ended as " + told(ended.ending()),
                                lost -> "lost to " + names.incumbent(lost.to())));
    }

    private Act evict(Claim claim, Succession succession) {
        return new Act("a is evicted", ports -> names.told(ports.claims().evict(app, claim.fence(), succession)));
    }

    private String told(ClaimRequest request, ClaimOutcome outcome) {
        return outcome.fold(
                claimed -> {
                    granted.put(request.attempt(), claimed.claim().fence());
                    return "claimed, taken over from " + names.of(claimed.takenOverFrom());
                },
                this::told);
    }

    private String told(Refusal refusal) {
        if (refusal instanceof Refusal.InProgress told) {
            return "in progress by " + names.of(told.running());
        }
        if (refusal instanceof Refusal.AlreadyRun told) {
            return "already run: " + told(told.deployment());
        }
        return refusal.getClass().getSimpleName();
    }

    private String ended(List<Claim> claims) {
        return claims.isEmpty()
                ? World.NO_WORD
                : "ended " + claims.stream().map(names::of).toList();
    }

    private static String told(Ending ending) {
        return ending.getClass().getSimpleName();
    }

    private String told(Deployment deployment) {
        Fence fence = granted.getOrDefault(deployment.id(), deployment.fence());
        if (!fence.equals(deployment.fence())) {
            throw new AssertionError("granted by " + fence + ": " + deployment);
        }
        return names.of(deployment.id()) + " "
                + deployment.fold(
                        building -> "is building by " + names.of(building.by()),
                        abandoned -> "is abandoned by " + names.of(abandoned.by()),
                        Publishes::told);
    }

    private Scene scene(List<Act> acts) {
        return new Scene() {
            @Override
            public List<Act> acts() {
                return acts;
            }

            @Override
            public String end() {
                String left = left(app) + left(other);
                store.deleteByHand(app);
                store.deleteByHand(other);
                return left;
            }
        };
    }

    /** The deployments in the order of their fences, and what the next one would be told. */
    private String left(AppId of) {
        List<String> deployments = new ArrayList<>();
        store.deployments().recent(of, 100).forEach(each -> deployments.add(told(each)));
        Collections.reverse(deployments);
        String live = names.of(store.deployments().live(of).map(Deployment::id));
        ClaimRequest next = wish("the next one", of, Optional.empty());
        return deployments + ", live " + live + ", and then "
                + told(next, store.claims().claim(next)) + "; ";
    }
}
