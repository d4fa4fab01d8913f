package io.holdfast.contract;

import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.publish.AppId;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import java.time.Duration;
import java.util.Optional;

/** A claim request in the making: immutable, each method returns another wish. */
record Wish(AttemptId attempt, AppId app, Slug slug, String holder, Duration limit, Optional<RequestKey> requestKey) {

    Wish of(AttemptId other) {
        return new Wish(other, app, slug, holder, limit, requestKey);
    }

    Wish forApp(AppId other) {
        return new Wish(attempt, other, slug, holder, limit, requestKey);
    }

    Wish under(Slug other) {
        return new Wish(attempt, app, other, holder, limit, requestKey);
    }

    Wish within(Duration otherLimit) {
        return new Wish(attempt, app, slug, holder, otherLimit, requestKey);
    }

    Wish keyed(String key) {
        return new Wish(attempt, app, slug, holder, limit, Optional.of(RequestKey.of(key)));
    }

    ClaimRequest request() {
        return new ClaimRequest(attempt, app, slug, new Holder(holder), SilenceLimit.of(limit), requestKey);
    }
}
