package io.holdfast.contract;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Text that some engine, somewhere, takes for something else. */
final class Texts {
    /** All different; many are equal to another one under some collation, normal form or padding. */
    static final List<String> DISTINCT = List.of(
            "a",
            "A",
            "\u00e4", // a with dots, as one character
            "a\u0308", // the same as two
            "\u00c4",
            "a ",
            "a  ",
            "a\t",
            "a\n",
            " a",
            "a\u00a0", // no-break space
            "a\u200b", // zero-width space
            "a\u200d", // zero-width joiner
            "\ufeffa", // byte order mark
            "stra\u00dfe",
            "strasse",
            "STRASSE",
            "\u0131", // i without a dot
            "i",
            "I",
            "\u0130", // I with a dot
            "\ufb01", // the ligature fi
            "fi",
            "\u212b", // the unit Angstrom
            "\u00c5",
            "\ud83d\udd25",
            "\ud83d\udd25\ufe0f",
            "$secret",
            "$$NOW",
            "a.b",
            "{\"$ne\":null}",
            "'; drop table holdfast_app; --",
            "\"",
            "'",
            "''",
            "\\",
            "\\\\",
            "\\'",
            "`",
            "%",
            "_",
            "?",
            "null",
            "0",
            "00",
            "0x61");

    private Texts() {}

    /** {@code start} and then characters of four bytes, {@code bytes} of UTF-8 in all. */
    static String ofBytes(String start, int bytes) {
        int left = bytes - start.getBytes(StandardCharsets.UTF_8).length;
        return start + "x".repeat(left % 4) + "\ud83d\udd25".repeat(left / 4);
    }
}
