package io.holdfast.contract;

/** What every adapter must do when its server is broken for real; on a server of its own. */
public interface FaultContract extends KillContract, ReadOnlyContract, ClockContract, RestoreContract {}
