package io.holdfast.contract.interleaving;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.interleaving.World.Act;
import io.holdfast.contract.interleaving.World.Scene;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Accounts: everything that may be done about the sanction of one. */
final class Sanctions {
    static final World ACTIVE =
            new World("an account with a sanction", "G5 B1 B2 B4 B5", store -> new Sanctions(store).sanctioned());

    static final List<World> ALL = List.of(
            new World("an account without a sanction", "G5 B1", store -> new Sanctions(store).innocent()),
            ACTIVE,
            new World("an account whose sanction is over", "B1 B2 B3 B4 B5", store -> new Sanctions(store).served()));

    private final EngineSubject store;
    private final Account account = Account.of("account-" + UUID.randomUUID());
    private final Names names = new Names();

    private Sanctions(EngineSubject store) {
        this.store = store;
    }

    private Scene innocent() {
        AttemptId b = names.attempt("b");
        return scene(List.of(
                impose("b is imposed", b),
                impose("b is imposed again", b),
                impose("c is imposed", names.attempt("c"))));
    }

    private Scene sanctioned() {
        AttemptId a = names.attempt("a");
        store.sanctions().impose(a, terms(Optional.empty()));
        return scene(acts(a));
    }

    private Scene served() {
        AttemptId a = names.attempt("a");
        store.sanctions().impose(a, terms(Optional.of(Duration.ofMinutes(5))));
        store.letPass(Duration.ofHours(1));
        return scene(acts(a));
    }

    private List<Act> acts(AttemptId a) {
        AttemptId d = names.attempt("d");
        return List.of(
                impose("a is imposed again", a),
                impose("b is imposed", names.attempt("b")),
                impose("c is imposed", names.attempt("c")),
                lift("x", a),
                lift("y", a),
                replace("d", a, d),
                replace("d again", a, d),
                replace("e", a, names.attempt("e")));
    }

    private Terms terms(Optional<Duration> lasting) {
        return new Terms(account, "spam", new Holder("operator"), lasting);
    }

    private Act impose(String name, AttemptId id) {
        return new Act(name, ports -> told(ports.sanctions().impose(id, terms(Optional.empty()))));
    }

    private String told(ImposeOutcome outcome) {
        return outcome.fold(
                imposed -> "imposed",
                another -> "another: " + told(another.active()),
                over -> "over: " + told(over.sanction()));
    }

    private Act lift(String by, AttemptId seen) {
        return new Act(
                "a is lifted by " + by,
                ports -> ports.sanctions()
                        .lift(account, seen, new Holder(by))
                        .fold(
                                over -> "over: " + told(over.sanction()),
                                missed -> "missed: "
                                        + missed.active().map(this::told).orElse("none")));
    }

    private Act replace(String by, AttemptId seen, AttemptId id) {
        return new Act(
                "a is replaced by " + by,
                ports -> ports.sanctions()
                        .replace(seen, id, terms(Optional.empty()))
                        .fold(
                                imposed -> "imposed",
                                another -> "another: " + told(another.active()),
                                over -> "over: " + told(over.sanction()),
                                noneActive -> "none active"));
    }

    private String told(Sanction sanction) {
        return names.of(sanction.id()) + " "
                + sanction.fold(
                        active -> "active",
                        lifted -> "lifted by " + lifted.by().label(),
                        replaced -> "replaced by " + names.of(replaced.by()),
                        ranOut -> "ran out");
    }

    private Scene scene(List<Act> acts) {
        return new Scene() {
            @Override
            public List<Act> acts() {
                return acts;
            }

            @Override
            public String end() {
                List<String> history = new ArrayList<>();
                store.sanctions().history(account, 100).forEach(each -> history.add(told(each)));
                Collections.reverse(history);
                String next = told(store.sanctions().impose(names.attempt("the next one"), terms(Optional.empty())));
                store.deleteByHand(account);
                return history + ", and then " + next;
            }
        };
    }
}
