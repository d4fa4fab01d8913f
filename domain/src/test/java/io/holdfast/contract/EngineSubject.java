package io.holdfast.contract;

/** Everything that an adapter stores, and the hands on it. */
public interface EngineSubject extends PublishSubject, LeaseSubject, SanctionSubject, SaveSubject, RefreshSubject {}
