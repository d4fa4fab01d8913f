package io.holdfast.app;

import java.util.regex.Pattern;

/** Keeps passwords out of whatever a person or a log gets to see. */
public final class Secrets {
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)((?:password|passwd|secret|token)[a-z0-9]*=)[^&;,\\s\"')]+");
    /** Up to the last @: a password that should have been encoded may contain one. */
    private static final Pattern USER_INFO = Pattern.compile("(://[^:/@\\s]*:)[^/\\s]*@");

    private Secrets() {}

    public static String masked(String text) {
        return USER_INFO.matcher(PARAMETER.matcher(text).replaceAll("$1***")).replaceAll("$1***@");
    }
}
