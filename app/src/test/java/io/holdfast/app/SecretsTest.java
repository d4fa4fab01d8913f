package io.holdfast.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {
    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://h/d?user=u&password=geheim&ssl=true, jdbc:postgresql://h/d?user=u&password=***&ssl=true",
        "jdbc:mysql://h/d?PASSWORD=geheim, jdbc:mysql://h/d?PASSWORD=***",
        "jdbc:mysql://h/d?trustCertificateKeyStorePassword=geheim, jdbc:mysql://h/d?trustCertificateKeyStorePassword=***",
        "jdbc:mysql://u:geheim@h/d, jdbc:mysql://u:***@h/d",
        "mongodb://u:ge@heim@h:1/d, mongodb://u:***@h:1/d",
        "mongodb://u@h/d, mongodb://u@h/d",
        "http://h:80/p, http://h:80/p",
        "password='$(cat file), password='$(cat file)",
        "X: hfs_aB-_9\\r\\nY: hfr_Zz9, X: hfs_***\\r\\nY: hfr_***",
        "Authorization: Bearer geheim-1, Authorization: Bearer ***",
        "halfs_are fine, halfs_are fine",
    })
    void passwordsAreMasked(String text, String masked) {
        assertThat(Secrets.masked(text)).isEqualTo(masked);
    }
}
