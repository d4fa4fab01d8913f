package io.holdfast.mysql;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.StringJoiner;

/** Tells the server the time zones that these tests name: of itself it knows none by name, and often nobody has told it any. */
final class MysqlZones {
    private static final List<String> NAMES = List.of("America/New_York", "Australia/Lord_Howe");

    /** Whoever loads all zones counts them from 1, and has hundreds. */
    private static final int FIRST_ID = 9_001;

    private static final Instant FROM = Instant.parse("2020-01-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2035-01-01T00:00:00Z");

    private MysqlZones() {}

    static void load(MysqlServer server) {
        for (int i = 0; i < NAMES.size(); i++) {
            String name = NAMES.get(i);
            if (server.text("SELECT CONVERT_TZ('2025-01-01', '+00:00', '%s')".formatted(name)) == null) {
                load(server, FIRST_ID + i, ZoneId.of(name));
            }
        }
    }

    /** Its name comes last: who finds it finds all of it. IGNORE, because others may be at it on the same server. */
    private static void load(MysqlServer server, int id, ZoneId zone) {
        ZoneRules rules = zone.getRules();
        ZoneOffset winter = rules.getStandardOffset(FROM);
        StringJoiner changes = new StringJoiner(", ");
        ZoneOffset summer = winter;
        for (ZoneOffsetTransition next = rules.nextTransition(FROM);
                next.getInstant().isBefore(TO);
                next = rules.nextTransition(next.getInstant())) {
            boolean toSummer = !next.getOffsetAfter().equals(winter);
            summer = toSummer ? next.getOffsetAfter() : summer;
            changes.add("(%d, %d, %d)".formatted(id, next.toEpochSecond(), toSummer ? 1 : 0));
        }
        server.run(
                "INSERT IGNORE INTO mysql.time_zone (Time_zone_id, Use_leap_seconds) VALUES (%d, 'N')".formatted(id));
        server.run("""
                INSERT IGNORE INTO mysql.time_zone_transition_type
                       (Time_zone_id, Transition_type_id, `Offset`, Is_DST, Abbreviation)
                VALUES (%1$d, 0, %2$d, 0, 'WINTER'), (%1$d, 1, %3$d, 1, 'SUMMER')""".formatted(id, winter.getTotalSeconds(), summer.getTotalSeconds()));
        server.run(
                "INSERT IGNORE INTO mysql.time_zone_transition (Time_zone_id, Transition_time, Transition_type_id) VALUES "
                        + changes);
        server.run(
                "INSERT IGNORE INTO mysql.time_zone_name (Name, Time_zone_id) VALUES ('%s', %d)".formatted(zone, id));
    }
}
