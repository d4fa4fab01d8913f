package io.holdfast.app;

import java.util.regex.Pattern;

/** Keeps passwords out of whatever a person or a log gets to see. */
public final class Secrets {
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)((?:password|passwd|secret|token)[a-z0-9]*=)[^&;,\\s\"')]+");
    /** Up to the last @: a password that should have been encoded may contain one. */
    private static final Pattern USER_INFO = Pattern.compile("(://[^:/@\\s]*:)[^/\\s]*@");

    /** A token of ours, or as much of one as is shown: a library that dumps what it reads cuts it anywhere. */
    private static final Pattern TOKEN = Pattern.compile("(hf[rs]_)[A-Za-z0-9_-]+");

    private static final Pattern BEARER = Pattern.compile("(?i)(bearer\\s+)[^\\s\"',;]+");

    private Secrets() {}

    public static String masked(String text) {
        String masked = PARAMETER.matcher(text).replaceAll("$1***");
        masked = TOKEN.matcher(masked).replaceAll("$1***");
        masked = BEARER.matcher(masked).replaceAll("$1***");
        return USER_INFO.matcher(masked).replaceAll("$1***@");
    }
}
