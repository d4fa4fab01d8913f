package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ServerAddress;
import io.holdfast.refresh.FamilyId;
import io.holdfast.refresh.FamilyTerms;
import io.holdfast.refresh.Generation;
import io.holdfast.refresh.RotateOutcome.Refused;
import io.holdfast.refresh.RotateOutcome.Reused;
import io.holdfast.refresh.RotateOutcome.Rotated;
import io.holdfast.refresh.RotateOutcome.Why;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whose turn it was, when a rotation is made and its answer is lost: it is sent again, and others may have come before. */
final class MongoTurnTest {
    private static final Duration LONG = Duration.ofHours(1);

    @RegisterExtension
    static final MongoServer SERVER = new MongoServer();

    private static MongoSubject subject;

    private StepDown stepDown;
    private MongoStores there;

    @BeforeAll
    static void open() {
        subject = new MongoSubject(SERVER.database());
    }

    @BeforeEach
    void stand() {
        subject.wipe();
        stepDown = new StepDown(SERVER);
        there = MongoStores.of(SERVER.database(client -> client.applyToClusterSettings(
                cluster -> cluster.hosts(List.of(new ServerAddress("localhost", stepDown.port()))))));
    }

    @AfterEach
    void close() {
        assertThat(stepDown.isDone()).isTrue();
        stepDown.close();
    }

    /** By then the grace is over, so that it looks like a token that was stolen. */
    @Test
    void r3_aRotationIsNotRevokedByItsOwnRepetition() {
        Generation first = opened();
        stepDown.after(1);
        assertThat(there.refreshTokens().rotate(first)).isEqualTo(new Rotated<>(first.next()));
        assertThat(subject.refreshTokens().rotate(first.next()))
                .isEqualTo(new Rotated<>(first.next().next()));
    }

    /** Nobody has stolen it, and so nobody is told that. */
    @Test
    void r3_aRotationThatIsRevokedBeforeItIsToldIsNoTheft() {
        Generation first = opened();
        stepDown.after(1, () -> subject.refreshTokens().revoke(first.family()));
        assertThat(there.refreshTokens().rotate(first)).isEqualTo(new Refused<>(Why.REVOKED));
    }

    /** It is told once, and to nobody else. */
    @Test
    void r3_aTheftIsToldAlsoIfTheFamilyIsRevokedMeanwhile() {
        Generation first = opened();
        subject.refreshTokens().rotate(first);
        subject.letPass(Duration.ofSeconds(1));
        stepDown.after(1, () -> subject.refreshTokens().revoke(first.family()));
        assertThat(there.refreshTokens().rotate(first)).isEqualTo(new Reused<>(first.family()));
    }

    /** With no grace to speak of. */
    private static Generation opened() {
        FamilyId family = FamilyId.random();
        subject.refreshTokens().open(family, new FamilyTerms(LONG, LONG, Duration.ofMillis(1)));
        return Generation.first(family);
    }
}
