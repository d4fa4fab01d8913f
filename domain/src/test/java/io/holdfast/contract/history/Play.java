package io.holdfast.contract.history;

import io.holdfast.contract.Ports;
import io.holdfast.publish.Deployments;
import java.util.List;
import java.util.Random;

/**
 * One new key of one port, and what clients do with it.
 *
 * @param <S> the model of the key
 */
public interface Play<S extends Model<S>> {
    /**
     * One of each port. What is needed to begin with is made at once, over a network that loses nothing.
     *
     * @param deployments the reading side of publishing
     */
    static List<Play<?>> ofEachPort(Random random, Ports ports, Deployments deployments) {
        return List.of(
                new ClaimPlay(deployments),
                new LeasePlay(),
                new SavePlay(random, ports.saveTokens()),
                new RefreshPlay(random, ports.refreshTokens()),
                new SanctionPlay());
    }

    /** As the report calls it. */
    String port();

    /** Those that its histories attack, such as "G1 G5". */
    String rules();

    /** The key before anybody came. */
    S start();

    /** Has one client do one thing. */
    void move(Client<S> client);
}
