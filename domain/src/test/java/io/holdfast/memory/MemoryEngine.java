package io.holdfast.memory;

import io.holdfast.Fence;
import io.holdfast.contract.EngineSubject;
import io.holdfast.contract.Ports;
import io.holdfast.lease.LeaseName;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployments;
import io.holdfast.refresh.FamilyId;
import io.holdfast.sanction.Account;
import io.holdfast.save.TokenDigest;
import java.time.Duration;

/** All stores in memory, as one engine has them. */
public record MemoryEngine(
        MemoryPublishes claims,
        MemoryLeases leases,
        MemorySanctions sanctions,
        MemoryRefreshTokens refreshTokens,
        MemorySaveTokens saveTokens)
        implements EngineSubject, Ports {
    /** With these leases, and everything else as it should be. */
    public static MemoryEngine with(MemoryLeases leases) {
        return new MemoryEngine(
                new MemoryPublishes(),
                leases,
                new MemorySanctions(),
                new MemoryRefreshTokens(),
                new MemorySaveTokens());
    }

    @Override
    public Deployments deployments() {
        return claims;
    }

    @Override
    public void letPass(Duration time) {
        claims.letPass(time);
        leases.letPass(time);
        sanctions.letPass(time);
        refreshTokens.letPass(time);
        saveTokens.letPass(time);
    }

    @Override
    public void wipe() {
        claims.wipe();
        leases.wipe();
        sanctions.wipe();
        refreshTokens.wipe();
        saveTokens.wipe();
    }

    @Override
    public void deleteByHand(AppId app) {
        claims.deleteByHand(app);
    }

    @Override
    public void setFence(AppId app, Fence fence) {
        claims.setFence(app, fence);
    }

    @Override
    public String dump(AppId app) {
        return claims.dump(app);
    }

    @Override
    public void deleteByHand(LeaseName name) {
        leases.deleteByHand(name);
    }

    @Override
    public void setFence(LeaseName name, Fence fence) {
        leases.setFence(name, fence);
    }

    @Override
    public String dump(LeaseName name) {
        return leases.dump(name);
    }

    @Override
    public void deleteByHand(Account account) {
        sanctions.deleteByHand(account);
    }

    @Override
    public String dump(Account account) {
        return sanctions.dump(account);
    }

    @Override
    public void deleteByHand(FamilyId family) {
        refreshTokens.deleteByHand(family);
    }

    @Override
    public String dump(FamilyId family) {
        return refreshTokens.dump(family);
    }

    @Override
    public void deleteByHand(TokenDigest token) {
        saveTokens.deleteByHand(token);
    }

    @Override
    public void setFence(TokenDigest token, Fence fence) {
        saveTokens.setFence(token, fence);
    }

    @Override
    public String dump(TokenDigest token) {
        return saveTokens.dump(token);
    }
}
