package io.holdfast.app.serve;

import io.holdfast.AttemptId;
import io.holdfast.Incumbent;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.PublishOutcome.Started;
import io.holdfast.publish.Slug;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.Terms;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** How things of the domain look outside. An id or a name is text, a fence is a number, a time is ISO 8601 in UTC. */
final class Views {
    private Views() {}

    static String path(AttemptId deployment) {
        return "/deployments/" + deployment;
    }

    /** In the order given: names and values by turns. */
    static Map<String, Object> members(Object... namesAndValues) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return members;
    }

    /** The deployment that this very request has started; when, only the database knows. */
    static Map<String, Object> started(Started started, Slug slug) {
        Map<String, Object> view = members(
                "id", started.claim().attempt().toString(),
                "app", started.claim().app().value(),
                "slug", slug.value(),
                "fence", started.claim().fence().value(),
                "state", "building");
        started.takenOverFrom().ifPresent(from -> view.put("takenOverFrom", from.toString()));
        return view;
    }

    static Map<String, Object> deployment(Deployment deployment) {
        Map<String, Object> view = members(
                "id", deployment.id().toString(),
                "app", deployment.app().value(),
                "slug", deployment.slug().value(),
                "fence", deployment.fence().value(),
                "holder", deployment.holder().label(),
                "startedAt", deployment.startedAt().toString());
        deployment.takenOverFrom().ifPresent(from -> view.put("takenOverFrom", from.toString()));
        view.putAll(deployment.<Map<String, Object>>fold(
                building -> members(
                        "state",
                        "building",
                        "sinceHeartbeatMs",
                        building.by().silentFor().toMillis(),
                        "takeableInMs",
                        building.by().takeableIn().toMillis(),
                        "advice",
                        building.by().takeableIn().isZero() ? "publish_again" : "wait"),
                Views::abandoned,
                Endings::view));
        return view;
    }

    private static Map<String, Object> abandoned(Deployment.Abandoned abandoned) {
        Map<String, Object> view = members("state", "abandoned");
        abandoned.by().ifPresent(by -> view.put("takenOverBy", by.toString()));
        return view;
    }

    static Map<String, Object> app(AppId app, Deployment current, Optional<Deployment> live) {
        Map<String, Object> view = members("app", app.value(), "current", deployment(current));
        live.ifPresent(deployment -> view.put("live", deployment(deployment)));
        return view;
    }

    static Map<String, Object> sanction(Sanction sanction) {
        Terms terms = sanction.terms();
        Map<String, Object> view = members(
                "id", sanction.id().toString(),
                "account", terms.account().value(),
                "reason", terms.reason(),
                "by", terms.by().label(),
                "imposedAt", sanction.since().toString());
        terms.lasting().ifPresent(lasting -> view.put("lastingMs", lasting.toMillis()));
        view.putAll(sanction.<Map<String, Object>>fold(
                active -> {
                    Map<String, Object> state = members("state", "active");
                    active.endsIn().ifPresent(in -> state.put("endsInMs", in.toMillis()));
                    return state;
                },
                lifted -> members(
                        "state",
                        "lifted",
                        "liftedBy",
                        lifted.by().label(),
                        "liftedAt",
                        lifted.at().toString()),
                replaced ->
                        members("state", "replaced", "replacedBy", replaced.by().toString()),
                ranOut -> members("state", "ran_out")));
        return view;
    }

    /** Who has a hold that others want. */
    static Map<String, Object> incumbent(Incumbent by) {
        return members(
                "attempt", by.attempt().toString(),
                "holder", by.holder().label(),
                "fence", by.fence().value(),
                "startedAt", by.since().toString(),
                "sinceHeartbeatMs", by.silentFor().toMillis(),
                "takeableInMs", by.takeableIn().toMillis());
    }
}
