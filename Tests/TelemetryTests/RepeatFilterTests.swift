import Telemetry
import Testing
import Values

@Suite("The filter of repeated observations")
struct RepeatFilterTests {
    private static func failure(_ number: Int, _ route: String = "/v1/items") -> Observation {
        Observation("request.completed", .warning, "GET /v1/items/\(number) 503").repeating(route)
    }

    private static func time(_ seconds: Double) -> Timestamp { Timestamp(clamping: Int64(seconds * 1e6)) }

    @Test("The first few observations pass, and the number of the rest when the window ends")
    func window() {
        var filter = RepeatFilter()
        let passed = (0..<1_000).flatMap { filter.admit(Self.failure($0), at: Self.time(Double($0) / 1_000)) }
        #expect(passed == (0..<3).map { Self.failure($0) })
        #expect(filter.summaries(at: Self.time(9)) == [])
        let summaries = filter.summaries(at: Self.time(11))
        #expect(summaries.map(\.message) == ["GET /v1/items/999 503"])
        #expect(summaries.first?.fields == [.init("repeated", .integer(997))])
        #expect(filter.summaries(at: Self.time(13)) == [])
        #expect(filter.admit(Self.failure(0), at: Self.time(14)) == [Self.failure(0)])
    }

    @Test("The number of a finished window is written before the next observation")
    func nextWindow() {
        var filter = RepeatFilter()
        for number in 0..<5 { _ = filter.admit(Self.failure(number), at: Self.time(0)) }
        let passed = filter.admit(Self.failure(5), at: Self.time(20))
        #expect(passed.map(\.message) == ["GET /v1/items/4 503", "GET /v1/items/5 503"])
        #expect(passed.first?.fields == [.init("repeated", .integer(2))])
    }

    @Test("Observations that are not repeated always pass")
    func others() {
        var filter = RepeatFilter()
        let other = Observation("server.ready", .info, "ready")
        for _ in 0..<100 { #expect(filter.admit(other, at: .epoch) == [other]) }
    }

    @Test("Repetitions are distinguished up to a limit, above which those of one event share a window")
    func limit() {
        var limits = RepeatFilter.Limits()
        limits.repetitions = 10
        var filter = RepeatFilter(limits)
        let passed = (0..<1_000).flatMap { filter.admit(Self.failure($0, "/\($0)"), at: .epoch) }
        #expect(passed.count == 13)
        #expect(filter.finish().map(\.fields) == [[.init("repeated", .integer(987))]])
    }

    @Test("A clock that was set back starts a new window")
    func clock() {
        var filter = RepeatFilter()
        for number in 0..<5 { _ = filter.admit(Self.failure(number), at: Self.time(1_000)) }
        #expect(filter.admit(Self.failure(5), at: Self.time(0)).count == 2)
    }
}
