import TestSupport
import Testing
import Values

@Suite("A timestamp")
struct TimestampTests {
    @Test(
        "A timestamp is printed in UTC with six fractional digits",
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"), (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (1_772_357_400_000_001, "2026-03-01T09:30:00.000001Z"), (Int64.min, "0001-01-01T00:00:00.000000Z"),
            (Int64.max, "9999-12-31T23:59:59.999999Z"),
        ])
    func printing(microseconds: Int64, text: String) {
        #expect(Timestamp(clamping: microseconds).description == text)
    }

    @Test(
        "A timestamp is parsed from every spelling of RFC 3339",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:00z", 0), ("1970-01-01T00:00:00.5Z", 500_000),
            ("1970-01-01T00:00:00.123456999Z", 123_456), ("1970-01-01T02:00:00+02:00", 0), ("1969-12-31T23:30:00-00:30", 0),
            ("1970-01-01T00:00:00-00:00", 0), ("2024-02-29T12:00:00Z", 1_709_208_000_000_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000_000), ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
        ])
    func reading(text: String, microseconds: Int64) {
        #expect(Timestamp(text)?.microseconds == microseconds)
    }

    @Test(
        "Any other text is refused",
        arguments: [
            "", "Z", "2026", "2026-03-01", "2026-03-01T09:30Z", "2026-03-01T09:30:00", "2026-03-01 09:30:00Z", "2026-02-30T00:00:00Z",
            "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z",
            "2026-01-00T00:00:00Z", "2026-01-01T25:61:61Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T23:59:60Z",
            "2026-01-01T00:00:00Z ", "2026-01-01T00:00:00ZZ", "2026-01-01T00:00:00Zulu", " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60",
            "2026-01-01T00:00:00+0000", "2026-01-01T00:00:00+00", "+2026-01-01T00:00:00Z", "-026-01-01T00:00:00Z", "12026-01-01T00:00:00Z",
            "0000-12-31T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2026-1-1T0:0:0Z", "٢٠٢٦-01-01T00:00:00Z",
            "2026-01-01T00:00:00\0Z", "2026-01-01T00:00:00Z\u{301}",
        ])
    func refusal(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test("A printed timestamp parses to itself", arguments: Seeds.fixed(1))
    func roundTrip(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<5_000 {
            let microseconds = Int64.random(in: Timestamp.earliest.microseconds...Timestamp.latest.microseconds, using: &random)
            let timestamp = Timestamp(clamping: microseconds)
            #expect(timestamp.microseconds == microseconds, "seed \(seed)")
            #expect(Timestamp(timestamp.description) == timestamp, "seed \(seed), \(timestamp)")
        }
    }

    @Test("Timestamps are ordered like their texts", arguments: [0xF00D] as [UInt64])
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let times = (0..<2_000).map { _ in Timestamp(clamping: Int64.random(in: .min ... .max, using: &random) >> 5) }
        #expect(times.sorted().map(\.description) == times.map(\.description).sorted(), "seed \(seed)")
    }

    @Test("No text makes the parser trap", arguments: Seeds.fixed(1))
    func hostileText(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let valid = Array("2026-03-01T09:30:00.123456+01:00".utf8)
        for _ in 0..<20_000 {
            var bytes = valid
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    [0, 32, 43, 45, 46, 48, 57, 58, 90, 255].randomElement(using: &random) ?? 0
            }
            if let read = Timestamp(String(decoding: bytes, as: UTF8.self)) {
                #expect(Timestamp(read.description) == read, "seed \(seed), \(bytes)")
            }
        }
        #expect(Timestamp(String(repeating: "\u{301}", count: 500_000)) == nil)
    }

    @Test("A timestamp outside the years 1 to 9999 does not exist")
    func range() {
        #expect(Timestamp(microseconds: .max) == nil)
        #expect(Timestamp(microseconds: .min) == nil)
        #expect(Timestamp(clamping: UInt64.max) == .latest)
        #expect(Timestamp(microseconds: Timestamp.latest.microseconds) == .latest)
    }

    @Test(
        "Advancing stops at the ends of the range instead of trapping",
        arguments: [
            (Duration.seconds(Int64.max), Timestamp.latest), (.seconds(Int64.min), .earliest), (.zero, .epoch),
            (.seconds(400_000_000_000), .latest), (.seconds(-400_000_000_000), .earliest), (.nanoseconds(999), .epoch),
        ])
    func advancing(duration: Duration, expected: Timestamp) {
        #expect(Timestamp.epoch.advanced(by: duration) == expected)
    }

    @Test("The duration to another timestamp is exact")
    func difference() {
        #expect(Timestamp.earliest.duration(to: .latest) > .seconds(0))
        #expect(Timestamp.epoch.duration(to: Timestamp(clamping: -5)) == .microseconds(-5))
        #expect(Timestamp.epoch.advanced(by: .milliseconds(1_500)).timeOfDay == "00:00:01.500")
    }
}
