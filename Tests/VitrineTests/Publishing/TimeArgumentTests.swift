import Testing
import Values

@testable import CLI

@Suite("A time argument")
struct TimeArgumentTests {
    private let now = Timestamp("2026-11-22T10:30:15.5Z") ?? .epoch

    private func time(_ text: String, _ zone: String = "UTC") throws -> Timestamp {
        try TimeArgument(text, in: try .named(zone, [:]), now: now).time
    }

    @Test(
        "A time has an offset, is local to a zone, or is relative to now",
        arguments: [
            ("2026-12-24T18:00:00+01:00", "UTC", "2026-12-24T17:00:00Z"), ("2026-12-24 18:00", "UTC", "2026-12-24T18:00:00Z"),
            ("2026-12-24 18:00", "Europe/Stockholm", "2026-12-24T17:00:00Z"), ("2026-07-01", "America/New_York", "2026-07-01T04:00:00Z"),
            ("+90m", "UTC", "2026-11-22T12:00:15Z"), ("+2h", "Asia/Tokyo", "2026-11-22T12:30:15Z"), ("+1w", "UTC", "2026-11-29T10:30:15Z"),
            ("-2h", "UTC", "2026-11-22T08:30:15Z"), ("-1w", "UTC", "2026-11-15T10:30:15Z"),
        ])
    func forms(text: String, zone: String, expected: String) throws {
        #expect(try time(text, zone) == Timestamp(expected))
    }

    @Test(
        "An invalid time is refused with the valid forms",
        arguments: ["tomorrow", "2026-02-30", "18:00", "+2y", "+h", "+-1h", "-2y", "+999999d"])
    func refused(text: String) {
        #expect {
            try time(text)
        } throws: { error in
            (error as? TimeArgument.ParseError)?.message.contains("expected an RFC 3339 time") == true
        }
    }

    @Test("A local time is refused if the clocks skip it or show it twice")
    func jumps() {
        #expect(
            throws: TimeArgument.ParseError(
                message: "2026-03-29 02:30 does not exist in Europe/Berlin, where clocks skip it: expected an hour later")
        ) {
            try time("2026-03-29 02:30", "Europe/Berlin")
        }
        #expect(
            throws: TimeArgument.ParseError(
                message:
                    "2026-10-25 02:30 occurs twice in Europe/Berlin: expected 2026-10-25T02:30:00+02:00 or 2026-10-25T02:30:00+01:00"
            )
        ) {
            try time("2026-10-25 02:30", "Europe/Berlin")
        }
    }

    @Test(
        "A time zone without a file on the machine is refused",
        arguments: ["Mars/Olympus", "../../etc/passwd", "/etc/passwd", "", "Europe"])
    func zones(name: String) {
        #expect(throws: UnknownTimeZone.self) { try TimeZone.named(name, [:]) }
    }
}
