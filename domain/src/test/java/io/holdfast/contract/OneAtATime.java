package io.holdfast.contract;

import io.holdfast.lease.LeaseStore;
import io.holdfast.publish.ClaimStore;
import io.holdfast.refresh.RefreshTokenStore;
import io.holdfast.sanction.SanctionStore;
import io.holdfast.save.SaveTokenStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Ports with one connection, for several threads: one call waits for another, as it would for a pool's only connection. Else a
 * beat and an end would be in one transaction, and each would commit or roll back the other.
 */
record OneAtATime(Ports ports) implements Ports {
    @Override
    public ClaimStore claims() {
        return inTurn(ClaimStore.class, ports.claims());
    }

    @Override
    public LeaseStore leases() {
        return inTurn(LeaseStore.class, ports.leases());
    }

    @Override
    public RefreshTokenStore refreshTokens() {
        return inTurn(RefreshTokenStore.class, ports.refreshTokens());
    }

    @Override
    public SanctionStore sanctions() {
        return inTurn(SanctionStore.class, ports.sanctions());
    }

    @Override
    public SaveTokenStore saveTokens() {
        return inTurn(SaveTokenStore.class, ports.saveTokens());
    }

    private <S> S inTurn(Class<S> port, S store) {
        return port.cast(Proxy.newProxyInstance(
                OneAtATime.class.getClassLoader(), new Class<?>[] {port}, (proxy, method, values) -> {
                    synchronized (ports) {
                        try {
                            return method.invoke(store, values);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }
                }));
    }
}
