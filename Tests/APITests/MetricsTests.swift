import HTTPMessages
import Host
import Telemetry
import Testing

@testable import API
@testable import HTTP

@Suite("Metrics")
struct MetricsTests {
    private let requests = RequestMetrics()

    private var metrics: Metrics {
        Metrics(
            requests: requests,
            counters: {
                var counters = ServerCounters()
                counters.accepted = 9
                counters.open = 4
                counters.bytesSent = 1 << 53
                return counters
            },
            pools: {
                [
                    .init(loop: "http-0", leased: 2, idle: 1, waiting: 3, isServerAway: false),
                    .init(loop: "a \"b\" \\ c\nd", leased: 0, idle: 0, waiting: 0, isServerAway: true),
                ]
            }, loops: { [.init(loop: "http-0", blocked: 5, longestSeconds: 0.125)] })
    }

    @Test("what nothing has happened to can be read as well")
    func empty() async throws {
        let metrics = Metrics(requests: RequestMetrics(), counters: { ServerCounters() }, pools: { [] }, loops: { [] })
        #expect(try Exposition(await metrics.text()).value("vitrine_http_connections") == 0)
    }

    @Test("figures of the server, the pools, the loops and the process are there")
    func figures() async throws {
        let found = try Exposition(await metrics.text())
        #expect(found.value("vitrine_http_connections_total") == 9 && found.value("vitrine_http_connections") == 4)
        #expect(found.value("vitrine_http_sent_bytes_total") == Double(1 << 53))
        #expect(found.value("vitrine_database_connections", ["loop": "http-0", "state": "leased"]) == 2)
        #expect(found.value("vitrine_database_up", ["loop": "a \"b\" \\ c\nd"]) == 0)
        #expect(found.value("vitrine_loop_blocked_total", ["loop": "http-0"]) == 5)
        #expect(found.value("vitrine_loop_longest_seconds", ["loop": "http-0"]) == 0.125)
        let now = Double(Machine.wallClock) / 1_000_000
        let started = try #require(found.value("process_start_time_seconds"))
        #expect(started > now - 86_400 && started < now + 5)
        #expect(try #require(found.value("process_resident_memory_bytes")) > 1_000_000)
        #expect(try #require(found.value("process_open_fds")) >= 3)
    }

    @Test("requests are counted by route, method and status, with how long they took")
    func counted() async throws {
        let application = Application(
            [.telling(.get, "/v1/{name}")], middleware: [.observing(requests, .silent)], metrics: requests)
        for path in ["/v1/a", "/v1/b", "/nowhere", "/elsewhere"] { _ = try await application.ask("GET \(path)") }
        _ = try await application.ask("PUT /v1/a")
        _ = application.service.refuse(Refusal(.badRequest, "malformed"), nil)
        let found = try Exposition(await metrics.text())
        let count = { found.value("vitrine_http_requests_total", ["route": $0, "method": $1, "status": $2]) }
        #expect(count("/v1/{name}", "GET", "200") == 2)
        #expect(count("none", "GET", "404") == 2)
        #expect(count("none", "PUT", "405") == 1)
        #expect(count("none", "OTHER", "400") == 1)
        #expect(found.value("vitrine_http_request_duration_seconds_count", ["route": "/v1/{name}"]) == 2)
    }

    @Test("a duration is in the bucket of the first bound that it does not pass")
    func buckets() async throws {
        for microseconds in [0, 1_000, 1_100, 11_000_000] as [Int64] {
            requests.ofNoRoute.count(method: .get, status: .ok, nanoseconds: microseconds * 1_000)
        }
        let found = try Exposition(await metrics.text())
        let bucket = { found.value("vitrine_http_request_duration_seconds_bucket", ["route": "none", "le": $0]) }
        #expect(bucket("0.0001") == 1 && bucket("0.001") == 2 && bucket("0.0025") == 3)
        #expect(bucket("10.0") == 3 && bucket("+Inf") == 4)
        #expect(try #require(found.value("vitrine_http_request_duration_seconds_sum", ["route": "none"])) == 11.0021)
    }

    @Test("a client cannot make a series of its own, whatever it sends")
    func cardinality() async throws {
        let application = Application(
            [.telling(.get, "/v1/{name}")], middleware: [.observing(requests, .silent)], metrics: requests)
        for number in 0..<50 { _ = try await application.ask("BREW\(number) /v1/\(number)", ["X-Request-ID: \(number)"]) }
        for number in 0..<50 { _ = try await application.ask("GET /\(number)/\(number)") }
        let found = try Exposition(await metrics.text())
        #expect(found.samples.filter { $0.name == "vitrine_http_requests_total" }.count == 2)
        #expect(found.value("vitrine_http_requests_total", ["route": "none", "method": "OTHER", "status": "501"]) == 50)
    }
}
