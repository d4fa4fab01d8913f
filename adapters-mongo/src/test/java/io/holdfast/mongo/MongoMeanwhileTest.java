package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.mongodb.client.MongoCollection;
import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Holder;
import io.holdfast.Renewal;
import io.holdfast.SilenceLimit;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Claim;
import io.holdfast.publish.ClaimOutcome;
import io.holdfast.publish.ClaimOutcome.Claimed;
import io.holdfast.publish.ClaimRequest;
import io.holdfast.publish.ClaimStore;
import io.holdfast.publish.ClaimStore.FinishOutcome.Ended;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Refusal.SlugTaken;
import io.holdfast.publish.Slug;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RotateOutcome.Refused;
import io.holdfast.refresh.RotateOutcome.Rotated;
import io.holdfast.refresh.RotateOutcome.Why;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.ImposeOutcome.Imposed;
import io.holdfast.sanction.ReplaceOutcome.NoneActive;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.sanction.Terms;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Refusal.InDoubt;
import io.holdfast.save.ReserveOutcome;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveToken;
import io.holdfast.save.TokenDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What others do between two commands of one call: a call is not one command on this protocol as soon as a document is new. */
final class MongoMeanwhileTest {
    private static final Holder HOLDER = new Holder("a");
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration LONG = Duration.ofDays(1);

    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static MongoSubject subject;

    private Meanwhile meanwhile;
    private MongoWire wire;
    private MongoStores there;

    @BeforeAll
    static void open() {
        subject = new MongoSubject(SERVER.database());
    }

    @BeforeEach
    void stand() {
        subject.wipe();
        meanwhile = new Meanwhile();
        wire = new MongoWire(SERVER, meanwhile);
        // A clean-up waits for one document for a tenth of it, and what others do takes its time.
        there = MongoStores.of(SERVER.database(
                        client -> client.applyToClusterSettings(cluster -> cluster.hosts(List.of(wire.address())))))
                .within(Budget.of(Duration.ofMinutes(1)));
    }

    @AfterEach
    void close() {
        assertThat(meanwhile.isDone()).isTrue();
        wire.close();
    }

    // A refused claim takes back the document that it has made.

    @Test
    void c4_aRefusedClaimLeavesWhatOthersHaveMadeOfItsApp() {
        Slug slug = newSlug();
        claimed(newApp(), slug);
        AppId app = newApp();
        AtomicReference<AttemptId> others = new AtomicReference<>();
        meanwhile.before("publish.delete(_id,fence)", () -> others.set(claimed(app, newSlug())));
        assertThat(claim(there.claims(), app, slug)).isEqualTo(new SlugTaken(slug));
        assertThat(subject.deployments().current(app)).map(Deployment::id).contains(others.get());
    }

    @Test
    void c4_aRefusedClaimTakesBackNoOtherAppThatIsBeingMade() {
        Slug slug = newSlug();
        claimed(newApp(), slug);
        BsonDocument beingMade = MongoStatements.is(MongoRows.value(newApp().value()));
        beingMade.putAll(MongoStatements.FREE);
        collection("app").insertOne(beingMade);
        assertThat(claim(there.claims(), newApp(), slug)).isEqualTo(new SlugTaken(slug));
        assertThat(collection("app").find(MongoStatements.is(beingMade.get("_id"))))
                .isNotEmpty();
    }

    @Test
    void c4_aSlugThatWasLetGoMeanwhileIsFree() {
        Slug slug = newSlug();
        AppId rival = newApp();
        claimed(rival, slug);
        claimed(newApp(), newSlug());
        meanwhile.before("publish.find(_id $ne,$or) RIVAL", () -> subject.deleteByHand(rival));
        assertThat(claim(there.claims(), newApp(), slug)).isInstanceOf(Claimed.class);
    }

    /** The app keeps its own slug, and is not taken for its rival. */
    @Test
    void c1_anAttemptThatWasLetGoMeanwhileIsFree() {
        AppId rival = newApp();
        AttemptId attempt = claimed(rival, newSlug());
        AppId app = newApp();
        Slug slug = newSlug();
        subject.claims().finish(claimed(subject, app, slug), new Ending.Failed("no"));
        meanwhile.before("publish.find(_id $ne,$or) RIVAL", () -> subject.deleteByHand(rival));
        assertThat(there.claims()
                        .claim(new ClaimRequest(attempt, app, slug, HOLDER, SilenceLimit.of(LIMIT), Optional.empty())))
                .isInstanceOf(Claimed.class);
    }

    private static AttemptId claimed(AppId app, Slug slug) {
        return claimed(subject, app, slug).attempt();
    }

    private static Claim claimed(MongoSubject by, AppId app, Slug slug) {
        return ((Claimed) claim(by.claims(), app, slug)).claim();
    }

    private static ClaimOutcome claim(ClaimStore claims, AppId app, Slug slug) {
        return claims.claim(
                new ClaimRequest(AttemptId.random(), app, slug, HOLDER, SilenceLimit.of(LIMIT), Optional.empty()));
    }

    private static AppId newApp() {
        return AppId.of("app-" + AttemptId.random());
    }

    private static Slug newSlug() {
        return Slug.of("s-" + AttemptId.random());
    }

    // A clean-up looks for who is silent, and then ends it.

    @Test
    void c9_whoShowsASignOfLifeMeanwhileIsNotEnded() {
        Claim claim = claimed(subject, newApp(), newSlug());
        subject.letPass(LONG);
        AtomicReference<String> kept = new AtomicReference<>();
        meanwhile.before("publish.END_SILENT", () -> {
            subject.claims().renew(List.of(claim));
            subject.letPass(LIMIT.multipliedBy(3).dividedBy(2)); // silent, though not for twice its limit
            kept.set(subject.dump(claim.app()));
        });
        assertThat(there.claims().endSilent(10, LONG)).isEmpty();
        assertThat(subject.dump(claim.app())).isEqualTo(kept.get());
        assertThat(subject.claims().renew(List.of(claim)).get(claim)).isInstanceOf(Renewal.Held.class);
    }

    @Test
    void c9_whoFinishesMeanwhileIsNotEnded() {
        Claim claim = claimed(subject, newApp(), newSlug());
        Ending.Failed failed = new Ending.Failed("no");
        subject.letPass(LONG);
        meanwhile.before("publish.END_SILENT", () -> subject.claims().finish(claim, failed));
        assertThat(there.claims().endSilent(10, LONG)).isEmpty();
        assertThat(subject.deployments().find(claim.attempt()).orElseThrow().state())
                .isEqualTo(failed);
    }

    @Test
    void c9_whoIsTakenOverMeanwhileIsNotEndedByTheCleanUp() {
        Claim claim = claimed(subject, newApp(), newSlug());
        subject.letPass(LONG);
        meanwhile.before("publish.END_SILENT", () -> claimed(claim.app(), newSlug()));
        assertThat(there.claims().endSilent(10, LONG)).isEmpty();
    }

    // What no change has found is looked for again, before a loss is told.

    /** Its text is bound in that read, too (G10). */
    @Test
    void c8_anEndingThatIsBackMeanwhileIsTold() {
        Claim claim = claimed(subject, newApp(), newSlug());
        Ending.Failed failed = new Ending.Failed("$$nobody");
        subject.claims().finish(claim, failed);
        MongoCollection<BsonDocument> apps = collection("app");
        BsonDocument ended = apps.findOneAndDelete(
                MongoStatements.is(MongoRows.value(claim.app().value())));
        meanwhile.before("publish.find(_id) FINISHED confirmed", () -> apps.insertOne(ended));
        assertThat(there.claims().finish(claim, failed)).isEqualTo(new Ended(failed));
    }

    // A sanction whose id is another account's takes its document back, too.

    @Test
    void b3_aRefusedSanctionLeavesWhatOthersHaveMadeOfItsAccount() {
        AttemptId id = imposed(newAccount());
        Account account = newAccount();
        AtomicReference<AttemptId> others = new AtomicReference<>();
        meanwhile.before("sanction.delete(_id,sanctions)", () -> others.set(imposed(account)));
        assertThatIllegalArgumentException().isThrownBy(() -> impose(there.sanctions(), account, id));
        assertThat(subject.sanctions().active(account))
                .hasValueSatisfying(active -> assertThat(active.id()).isEqualTo(others.get()));
    }

    @Test
    void b3_anIdThatWasLetGoMeanwhileIsFree() {
        Account rival = newAccount();
        AttemptId id = imposed(rival);
        imposed(newAccount());
        meanwhile.before("sanction.find(_id $ne,ids)", () -> subject.deleteByHand(rival));
        impose(there.sanctions(), newAccount(), id);
    }

    /** By the same call, whose first try is on its way still. */
    @Test
    void g5_anIdThatIsTheAccountsOwnMeanwhileIsImposed() {
        Account rival = newAccount();
        AttemptId id = imposed(rival);
        Account account = newAccount();
        meanwhile.before("sanction.find(_id $ne,ids)", () -> {
            subject.deleteByHand(rival);
            impose(subject.sanctions(), account, id);
        });
        assertThat(impose(there.sanctions(), account, id)).isEqualTo(id);
    }

    /** Accounts that are being made have no ids, and to have none is nobody's own. */
    @Test
    void b4_whoReplacesNothingLeavesAccountsThatAreBeingMadeAsTheyAre() {
        for (Account account : List.of(newAccount(), newAccount())) {
            collection("sanction").insertOne(MongoSanctionStatements.free(MongoRows.value(account.value())));
            assertThat(there.sanctions()
                            .replace(
                                    AttemptId.random(),
                                    AttemptId.random(),
                                    new Terms(account, "spam", HOLDER, Optional.empty())))
                    .isEqualTo(new NoneActive());
        }
    }

    private static AttemptId imposed(Account account) {
        return impose(subject.sanctions(), account, AttemptId.random());
    }

    private static AttemptId impose(SanctionStore sanctions, Account account, AttemptId id) {
        return ((Imposed) sanctions.impose(id, new Terms(account, "spam", HOLDER, Optional.empty())))
                .sanction()
                .id();
    }

    private static Account newAccount() {
        return Account.of("account-" + AttemptId.random());
    }

    // What is made by two commands is not there between them, and is not forgotten.

    @Test
    void r5_aFamilyThatIsOpenedMeanwhileIsNotForgotten() {
        FamilyId family = unopened();
        meanwhile.before("refresh.delete(_id $in,expires_at $lte)", () -> open(family));
        assertThat(there.refreshTokens().forget(Duration.ZERO, 10)).isZero();
        assertThat(subject.refreshTokens().rotate(Generation.first(family))).isInstanceOf(Rotated.class);
    }

    @Test
    void r1_aFamilyThatIsNotOpenedYetIsUnknownAndIsNotRevokedEither() {
        FamilyId family = unopened();
        assertThat(subject.refreshTokens().rotate(Generation.first(family))).isEqualTo(new Refused<>(Why.UNKNOWN));
        subject.refreshTokens().revoke(family);
        open(family);
        assertThat(subject.refreshTokens().rotate(Generation.first(family))).isInstanceOf(Rotated.class);
    }

    private static FamilyId unopened() {
        FamilyId family = FamilyId.random();
        BsonDocument unopened = MongoStatements.is(MongoRows.value(new AttemptId(family.value())));
        unopened.putAll(MongoRefreshStatements.UNOPENED);
        collection("refresh").insertOne(unopened);
        return family;
    }

    private static void open(FamilyId family) {
        subject.refreshTokens().open(family, new FamilyTerms(LONG, LONG, Duration.ofMinutes(1)));
    }

    @Test
    void s7_aTokenWhoseTimeBeginsMeanwhileIsNotForgotten() {
        TokenDigest token = SaveToken.random().digest();
        BsonDocument undated = MongoStatements.is(new BsonBinary(token.bytes()));
        undated.putAll(MongoSaveStatements.FRESH);
        undated.append("refuse", BsonBoolean.TRUE).append("valid_for", new BsonInt64(LONG.toNanos() / 1_000));
        collection("save").insertOne(undated);
        meanwhile.before(
                "save.delete(_id $in,held,over_at $lte)",
                () -> subject.saveTokens().issue(token, LONG, IfInDoubt.REFUSE));
        assertThat(there.saveTokens().forget(Duration.ZERO, 10)).isZero();
        reserved(token);
    }

    /** The database's clock is set back, and later put right. */
    @Test
    void s6_whatIsTakenMeanwhileIsNotForgotten() {
        TokenDigest token = SaveToken.random().digest();
        subject.saveTokens().issue(token, LONG, IfInDoubt.REFUSE);
        subject.letPass(LONG);
        meanwhile.before("save.delete(_id $in,held,over_at $lte)", () -> {
            subject.letPass(LONG.negated());
            reserved(token);
            subject.letPass(LONG);
        });
        assertThat(there.saveTokens().forget(Duration.ZERO, 10)).isZero();
        assertThat(reserve(token)).isInstanceOf(InDoubt.class);
    }

    private static void reserved(TokenDigest token) {
        assertThat(reserve(token)).isInstanceOf(Reserved.class);
    }

    private static ReserveOutcome reserve(TokenDigest token) {
        return subject.saveTokens()
                .reserve(new ReserveRequest(
                        token, AttemptId.random(), Fingerprint.of(new byte[0]), HOLDER, SilenceLimit.of(LIMIT)));
    }

    private static MongoCollection<BsonDocument> collection(String name) {
        return SERVER.database().getCollection("holdfast_" + name, BsonDocument.class);
    }

    /** Does something once, before a statement is sent. */
    private static final class Meanwhile implements MongoWire.Listener {
        private record Deed(String statement, Runnable done) {}

        private final AtomicReference<Deed> next = new AtomicReference<>();

        void before(String statement, Runnable done) {
            next.set(new Deed(statement, done));
        }

        boolean isDone() {
            return next.get() == null;
        }

        @Override
        public Optional<BsonDocument> sent(BsonDocument command) {
            Deed deed = next.get();
            if (deed != null
                    && deed.statement().equals(MongoSent.statement(command))
                    && next.compareAndSet(deed, null)) {
                deed.done().run();
            }
            return Optional.empty();
        }

        @Override
        public Optional<BsonDocument> answered(BsonDocument command, BsonDocument answer) {
            return Optional.empty();
        }
    }
}
