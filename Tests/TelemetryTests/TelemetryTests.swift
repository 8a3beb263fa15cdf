import Telemetry
import Testing
import Values

@Suite("Telemetry")
struct TelemetryTests {
    @Test("Each observation of any level reaches every sink in order, with one time")
    func sinks() {
        let written = Written()
        let telemetry = Telemetry(
            now: { .epoch },
            sinks: [
                { written.append("first \($0.event) \($0.level) \($1.microseconds)") },
                { written.append("second \($0.event) \($0.level) \($1.microseconds)") },
            ])
        telemetry.record("a.b", .debug)
        telemetry.record("c.d", .error)
        #expect(written.lines == ["first a.b debug 0", "second a.b debug 0", "first c.d error 0", "second c.d error 0"])
    }

    @Test("The request ID is added to each observation that has none")
    func requestID() {
        let written = Written()
        let telemetry = Telemetry(now: { .epoch }, sinks: [{ observation, _ in written.append(observation.requestID ?? "none") }])
        telemetry.record("a.b")
        telemetry.during(requestID: "r-1").record("a.b")
        telemetry.during(requestID: "r-1").record(Observation("a.b", requestID: "r-2"))
        #expect(written.lines == ["none", "r-1", "r-2"])
    }

    @Test(
        "The name of an event is validated",
        arguments: [
            ("postgres.started", true), ("http.request.refused", true), ("a.b2", true), ("", false), ("started", false),
            ("postgres.", false), (".started", false), ("postgres..started", false), ("Postgres.started", false), ("a.b-c", false),
            ("a.2", false), ("a.b c", false), ("a.\u{E9}", false), (String(repeating: "a.", count: 40) + "a", false),
        ])
    func eventNames(name: String, isGood: Bool) {
        #expect(EventName.isWellFormed(name) == isGood)
    }
}
