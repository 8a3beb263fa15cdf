import Telemetry
import TestSupport
import Testing
import Values

@Suite("The log")
struct LogTests {
    private static let time = Timestamp(clamping: 1_772_357_400_123_456)

    private static let full = Observation(
        "postgres.started", .warning, "It took a while.",
        fields: [
            "port": 5432, "elapsed": .duration(.microseconds(12_345)), "load": 0.5, "isPrivate": true, "directory": "/a b",
            "binaries": ["initdb", "post gres"],
        ], requestID: "r-1")

    @Test("The log writes one JSON object per line")
    func json() {
        #expect(
            lines(.json, Self.full) == [
                #"{"time":"2026-03-01T09:30:00.123456Z","level":"warning","event":"postgres.started","message":"It took a while.","#
                    + #""port":5432,"elapsed":0.012345,"load":0.5,"isPrivate":true,"directory":"/a b","binaries":["initdb","post gres"],"#
                    + #""requestId":"r-1"}"# + "\n"
            ])
        #expect(
            lines(.json, Observation("a.b")) == [#"{"time":"2026-03-01T09:30:00.123456Z","level":"info","event":"a.b"}"# + "\n"])
    }

    @Test("The log writes aligned columns for people")
    func text() {
        #expect(
            lines(.text, Self.full) == [
                "09:30:00.123  warning  postgres.started      It took a while.  port=5432 elapsed=12.345ms load=0.5 isPrivate=true "
                    + #"directory="/a b" binaries=[initdb, "post gres"] request=r-1"# + "\n"
            ])
        #expect(lines(.text, Observation("a.b", .error)) == ["09:30:00.123  error    a.b\n"])
    }

    @Test("Levels are colored only if color is on", arguments: Observation.Level.allCases)
    func color(level: Observation.Level) {
        #expect(lines(.text, Observation("a.b", level), isColored: true)[0].contains("m\(level.rawValue)"))
        #expect(!lines(.text, Observation("a.b", level))[0].contains("\u{1B}"))
        #expect(!lines(.json, Observation("a.b", level), isColored: true)[0].contains("\u{1B}"))
    }

    @Test("Observations below the level are left out", arguments: Observation.Level.allCases)
    func filter(level: Observation.Level) {
        for other in Observation.Level.allCases {
            #expect(lines(.json, Observation("a.b", other), from: level).isEmpty == (other < level))
        }
    }

    @Test(
        "An observation is one line, with any text", arguments: LogFormat.allCases,
        ["\n", "\r\n", "\u{1B}[31m", "\0", "\u{85}", "\u{2028}", "\u{202E}", "\u{7F}", "\u{9B}2J", "\"", "\\", "=", ""])
    func injection(format: LogFormat, text: String) {
        let fake = "\(text)09:30:00.000  error  a.b"
        let observation = Observation(
            "a.b", .info, fake, fields: ["text": .text(fake), "list": .list([fake]), "\(fake)": 1], requestID: fake)
        let line = lines(format, observation)[0].unicodeScalars
        #expect(line.last == "\n")
        #expect(line.dropLast().allSatisfy { $0.value >= 0x20 })
        guard format == .text else { return }
        #expect(line.dropLast().allSatisfy { ![.control, .format, .lineSeparator].contains($0.properties.generalCategory) })
    }

    @Test("A key is never written twice")
    func uniqueKeys() {
        let line = lines(.json, Observation("a.b", fields: ["event": 1, "event_": 2, "x": 3, "x": 4], requestID: "r"))[0]
        #expect(line.contains(#""event":"a.b","event_":1,"event__":2,"x":3,"x_":4,"requestId":"r""#))
    }

    @Test("Numbers that JSON does not have are written as null", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(number: Double) {
        #expect(lines(.json, Observation("a.b", fields: ["x": .double(number)]))[0].contains(#""x":null"#))
    }

    @Test(
        "A duration is shown in a suitable unit",
        arguments: [
            (.zero, "0µs"), (.microseconds(850), "850µs"), (.milliseconds(12), "12ms"), (.seconds(90), "90s"), (.milliseconds(-5), "-5ms"),
            (.nanoseconds(1_500), "1.5µs"),
        ] as [(Duration, String)])
    func durations(duration: Duration, text: String) {
        #expect(lines(.text, Observation("a.b", fields: ["d": .duration(duration)]))[0].hasSuffix("d=\(text)\n"))
    }

    @Test("The longest durations are written", arguments: LogFormat.allCases, [Int64.max, Int64.min])
    func extremes(format: LogFormat, seconds: Int64) {
        #expect(lines(format, Observation("a.b", fields: ["d": .duration(.seconds(seconds))])).count == 1)
    }

    private func lines(
        _ format: LogFormat, _ observation: Observation, from level: Observation.Level = .debug, isColored: Bool = false
    ) -> [String] {
        let written = Written()
        let log = Log(format, from: level, isColored: isColored) { written.append($0) }
        Telemetry(now: { Self.time }, sinks: [log.sink]).record(observation)
        return written.lines
    }
}
