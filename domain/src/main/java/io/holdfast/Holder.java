package io.holdfast;

/**
 * Who asks, in words for a person: a host, a process, an operator. Decides nothing, since two holders may share a label;
 * the attempt does.
 *
 * @param label 1 to 200 bytes of UTF-8, not blank
 */
public record Holder(String label) {
    public Holder {
        label = Text.required("holder", label, 200);
    }
}
