package io.holdfast.contract;

/**
 * The one row, or document, that an operation decides on, for strangers who lock it.
 *
 * @param key as the port's value says it in text: an app, a lease's name, a digest in hex, a family's UUID, an account
 */
public record Row(Table table, String key) {
    public enum Table {
        APP,
        LEASE,
        REFRESH,
        SANCTION,
        SAVE
    }
}
