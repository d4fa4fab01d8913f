package io.holdfast;

/**
 * What a winner carries: together with its key this is exactly what every later write names (G6). The holder's silence
 * limit is not here but in the store, so that nodes with other settings never steal from each other early.
 *
 * <p>Implementations are records that compare by value. Not sealed, because outside a named module sealing does not
 * reach across packages, and each kind of hold lives in the package of its feature.
 */
public interface Hold {
    AttemptId attempt();

    Fence fence();
}
