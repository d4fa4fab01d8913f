package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AttemptId;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.Succession;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.Deployments;
import io.holdfast.publish.Ending;
import io.holdfast.publish.RequestKey;
import io.holdfast.publish.Slug;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveResult;
import io.holdfast.save.SaveToken;
import io.holdfast.save.SaveTokenStore;
import io.holdfast.save.TokenDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Once through all ports and their corners, so that the adapter sends every statement that it has. */
final class MongoTour {
    private static final Holder HOLDER = new Holder("tour");
    private static final SilenceLimit LIMIT = SilenceLimit.of(Duration.ofMinutes(5));
    private static final Duration LONG = Duration.ofDays(1);

    private final MongoSubject subject;

    private MongoTour(MongoSubject subject) {
        this.subject = subject;
    }

    static void of(MongoSubject subject) {
        subject.wipe();
        MongoTour tour = new MongoTour(subject);
        tour.publishes();
        tour.leases();
        tour.saves();
        tour.refreshes();
        tour.sanctions();
    }

    /** One of each, and all of them are held. */
    static void takeAllOnce(MongoSubject subject) {
        MongoTour tour = new MongoTour(subject);
        tour.claim(AppId.of("app-" + AttemptId.random()), Slug.of("s-" + AttemptId.random()));
        subject.leases().acquire(LeaseName.of("lease-" + AttemptId.random()), AttemptId.random(), HOLDER, LIMIT);
        TokenDigest token = SaveToken.random().digest();
        subject.saveTokens().issue(token, LONG, IfInDoubt.REFUSE);
        subject.saveTokens()
                .reserve(new ReserveRequest(token, AttemptId.random(), Fingerprint.of(new byte[] {1}), HOLDER, LIMIT));
        subject.refreshTokens().open(FamilyId.random(), new FamilyTerms(LONG, LONG, Duration.ofMinutes(1)));
        subject.sanctions().impose(AttemptId.random(), terms(Account.of("account-" + AttemptId.random())));
    }

    private void publishes() {
        ClaimStore claims = subject.claims();
        Deployments deployments = subject.deployments();
        AppId app = AppId.of("app-" + AttemptId.random());
        Slug slug = Slug.of("s-" + AttemptId.random());
        Claim claim = ((Claimed) claim(app, slug)).claim();
        claims.renew(List.of(claim));
        deployments.find(claim.attempt());
        deployments.current(app);
        deployments.live(app);
        claim(AppId.of("app-" + AttemptId.random()), slug);
        claims.evict(app, new Fence(1), Succession.AT_ONCE);
        claims.evict(app, claim.fence(), Succession.AT_ONCE);
        claims.finish(claim, new Ending.Failed("no"));
        claims.finish(((Claimed) claim(app, slug)).claim(), new Ending.Failed("no"));
        claim(app, slug);
        subject.letPass(LONG);
        claims.endSilent(10, LONG);
    }

    private ClaimOutcome claim(AppId app, Slug slug) {
        return subject.claims()
                .claim(new ClaimRequest(
                        AttemptId.random(),
                        app,
                        slug,
                        HOLDER,
                        LIMIT,
                        Optional.of(RequestKey.of("r-" + AttemptId.random()))));
    }

    private void leases() {
        LeaseStore leases = subject.leases();
        LeaseName name = LeaseName.of("lease-" + AttemptId.random());
        Lease lease = ((Acquired) leases.acquire(name, AttemptId.random(), HOLDER, LIMIT)).lease();
        leases.renew(List.of(lease));
        leases.find(name);
        leases.evict(name, new Fence(1), Succession.AT_ONCE);
        leases.evict(name, lease.fence(), Succession.AT_ONCE);
        leases.release(lease, Duration.ZERO);
    }

    private void saves() {
        SaveTokenStore saves = subject.saveTokens();
        TokenDigest token = SaveToken.random().digest();
        ReserveRequest request =
                new ReserveRequest(token, AttemptId.random(), Fingerprint.of(new byte[] {1}), HOLDER, LIMIT);
        saves.reserve(request);
        saves.issue(token, LONG, IfInDoubt.REFUSE);
        Reservation reservation = ((Reserved) saves.reserve(request)).reservation();
        saves.renew(List.of(reservation));
        saves.end(reservation, SaveResult.of(new byte[] {2}));
        subject.letPass(LONG);
        saves.forget(Duration.ZERO, 1);
    }

    private void refreshes() {
        RefreshTokenStore families = subject.refreshTokens();
        FamilyId family = FamilyId.random();
        families.rotate(Generation.first(family));
        families.open(family, new FamilyTerms(LONG, LONG, Duration.ofMinutes(1)));
        families.rotate(Generation.first(family));
        families.revoke(family);
        subject.letPass(LONG);
        families.forget(Duration.ZERO, 1);
    }

    private void sanctions() {
        SanctionStore sanctions = subject.sanctions();
        Account account = Account.of("account-" + AttemptId.random());
        AttemptId first = AttemptId.random();
        AttemptId second = AttemptId.random();
        sanctions.lift(account, first, HOLDER);
        sanctions.impose(first, terms(account));
        sanctions.replace(first, second, terms(account));
        sanctions.lift(account, second, HOLDER);
        sanctions.active(account);
        Account other = Account.of("account-" + AttemptId.random());
        assertThatThrownBy(() -> sanctions.impose(first, terms(other))).isInstanceOf(IllegalArgumentException.class);
    }

    private static Terms terms(Account account) {
        return new Terms(account, "spam", HOLDER, Optional.of(LONG));
    }
}
