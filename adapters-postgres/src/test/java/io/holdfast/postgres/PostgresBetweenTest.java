package io.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.AttemptId;
import io.holdfast.Holder;
import io.holdfast.SilenceLimit;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseName;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseOutcome.Acquired;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RotateOutcome.Reused;
import io.holdfast.refresh.RotateOutcome.Rotated;
import io.holdfast.save.Ending.NotSaved;
import io.holdfast.save.Fingerprint;
import io.holdfast.save.IfInDoubt;
import io.holdfast.save.Reservation;
import io.holdfast.save.ReserveOutcome.Reserved;
import io.holdfast.save.ReserveRequest;
import io.holdfast.save.SaveToken;
import io.holdfast.save.TokenDigest;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Whoever is refused asks why in a second statement. What may have happened between the two is made to happen here: what was
 * in the way is gone, and the call has to try again.
 */
final class PostgresBetweenTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration GRACE = Duration.ofMinutes(10);
    private static final FamilyTerms TERMS = new FamilyTerms(Duration.ofDays(30), Duration.ofDays(7), GRACE);

    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer();

    private static HikariDataSource pool;
    private static PostgresSubject store;

    @BeforeAll
    static void open() {
        pool = SERVER.pool();
        store = new PostgresSubject(pool);
    }

    @Test
    void g8_aLeaseThatIsReleasedMeanwhileIsTaken() {
        LeaseName name = LeaseName.of("lease-" + UUID.randomUUID());
        Lease first = ((Acquired) acquire(store.stores(), name)).lease();
        assertThat(acquire(with(() -> store.leases().release(first, Duration.ZERO)), name))
                .isInstanceOf(Acquired.class);
    }

    private static LeaseOutcome acquire(PostgresStores stores, LeaseName name) {
        return stores.leases().acquire(name, AttemptId.random(), new Holder("owner"), SilenceLimit.of(LIMIT));
    }

    @Test
    void g8_aTokenThatIsGivenBackMeanwhileIsReserved() {
        TokenDigest token = issued();
        Reservation first = reserve(token).reservation();
        PostgresStores stores = with(() -> store.saveTokens().end(first, new NotSaved()));
        assertThat(stores.saveTokens().reserve(wish(token))).isInstanceOf(Reserved.class);
    }

    @Test
    void s6_aHolderThatFallsSilentMeanwhileIsSettled() {
        TokenDigest token = issued();
        Reservation first = reserve(token).reservation();
        assertThat(with(() -> store.letPass(LIMIT)).saveTokens().settle(token, first.fence(), new NotSaved()))
                .isEqualTo(new NotSaved());
    }

    @Test
    void s6_aDoubtThatIsLeftToNobodyMeanwhileIsSettled() {
        TokenDigest token = issued();
        reserve(token);
        store.letPass(LIMIT);
        Reservation second = reserve(token).reservation();
        PostgresStores stores = with(() -> store.saveTokens().end(second, new NotSaved()));
        assertThat(stores.saveTokens().settle(token, second.fence(), new NotSaved()))
                .isEqualTo(new NotSaved());
        assertThat(reserve(token).takenOverFrom()).isEmpty();
    }

    private static TokenDigest issued() {
        TokenDigest token = SaveToken.random().digest();
        store.saveTokens().issue(token, Duration.ofDays(1), IfInDoubt.RUN_AGAIN);
        return token;
    }

    private static Reserved reserve(TokenDigest token) {
        return (Reserved) store.saveTokens().reserve(wish(token));
    }

    private static ReserveRequest wish(TokenDigest token) {
        return new ReserveRequest(
                token, AttemptId.random(), Fingerprint.of(new byte[1]), new Holder("owner"), SilenceLimit.of(LIMIT));
    }

    @Test
    void r1_aFamilyThatIsOpenedMeanwhileIsRotated() {
        FamilyId family = FamilyId.random();
        PostgresStores stores = with(() -> store.refreshTokens().open(family, TERMS));
        assertThat(stores.refreshTokens().rotate(new Generation(family, 1))).isInstanceOf(Rotated.class);
    }

    @Test
    void r2_whoComesWithinTheGraceAndIsJudgedAfterItIsJudgedAgain() {
        FamilyId replayed = rotated(1);
        assertThat(with(() -> store.letPass(GRACE)).refreshTokens().rotate(new Generation(replayed, 1)))
                .isInstanceOf(Reused.class);
        FamilyId overtaken = rotated(1, 2);
        assertThat(with(() -> store.letPass(GRACE)).refreshTokens().rotate(new Generation(overtaken, 1)))
                .isInstanceOf(Reused.class);
    }

    @Test
    void r3_whoIsOvertakenOnceTooOftenMeanwhileIsJudgedAgain() {
        FamilyId family = rotated(1);
        assertThat(with(() -> rotate(family, 2, 3)).refreshTokens().rotate(new Generation(family, 1)))
                .isInstanceOf(Reused.class);
    }

    private static FamilyId rotated(long... generations) {
        FamilyId family = FamilyId.random();
        store.refreshTokens().open(family, TERMS);
        rotate(family, generations);
        return family;
    }

    private static void rotate(FamilyId family, long... generations) {
        for (long generation : generations) {
            assertThat(store.refreshTokens().rotate(new Generation(family, generation)))
                    .isInstanceOf(Rotated.class);
        }
    }

    /** Stores for one call, before whose second statement this happens. */
    private static PostgresStores with(Runnable between) {
        AtomicInteger asked = new AtomicInteger();
        return PostgresStores.of(proxy(DataSource.class, (source, getConnection, none) -> {
            Connection real = pool.getConnection();
            return proxy(Connection.class, (connection, method, args) -> {
                if (method.getName().equals("prepareStatement") && asked.incrementAndGet() == 2) {
                    between.run();
                }
                try {
                    return method.invoke(real, args);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
        }));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
