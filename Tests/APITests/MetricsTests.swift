import EventLoop
import Feeds
import HTTPMessages
import Host
import Layout
import Telemetry
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP
@testable import Publishing
@testable import Server

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
                counters.rejectedConnections = 5
                counters.malformedRequests = 6
                counters.rejectedRequests = 7
                counters.copiedBodyBytes = 24
                counters.bytesReceived = 8
                counters.bytesSent = 1 << 53
                return counters
            },
            pools: {
                [
                    .init(loop: "http-0", inUse: 2, idle: 1, waiting: 3, isServerAway: false),
                    .init(loop: "a \"b\" \\ c\nd", inUse: 0, idle: 0, waiting: 0, isServerAway: true),
                ]
            }, loops: { [.init(loop: "http-0", stalls: 5, longestSeconds: 0.125)] },
            sequencer: {
                var metrics = SequencerMetrics()
                metrics.isLeader = true
                metrics.publishedVersions = 11
                metrics.drains = 12
                metrics.failures = 13
                metrics.seconds = 1.5
                metrics.lastDrainSeconds = 0.25
                metrics.head = 14
                metrics.sectionsWithTooFewItems = 15
                metrics.timedOutSections = 16
                metrics.unreadableDocuments = 17
                metrics.skippedSections = 18
                metrics.failedSections = 29
                metrics.waiting = OutboxCounts(edits: 24, imports: 25)
                metrics.dueSections = 28
                metrics.findings = [
                    LiveFinding.Kind(.pinGone): 22, LiveFinding.Kind(.feedEmpty): 23, LiveFinding.Kind(.sectionMissing): 26,
                    LiveFinding.Kind(.sectionMissing, .warning): 27,
                ]
                metrics.consistency.mismatches = 18
                metrics.consistency.failures = 19
                metrics.consistency.last = .init(mismatches: 20, seconds: 2.5, endedSeconds: 21)
                return metrics
            }, waiting: { 18 }, importWait: { .milliseconds(2_600) })
    }

    @Test("Metrics without any event are valid")
    func empty() async throws {
        let metrics = Metrics(requests: RequestMetrics(), counters: { ServerCounters() }, pools: { [] }, loops: { [] })
        #expect(try Exposition(await metrics.text()).value("vitrine_http_connections") == 0)
    }

    @Test("Metrics contain the values of the server, the pools, the event loops and the process")
    func metrics() async throws {
        let found = try Exposition(await metrics.text())
        #expect(found.value("vitrine_http_connections_total") == 9 && found.value("vitrine_http_connections") == 4)
        #expect(found.value("vitrine_http_connections_rejected_total") == 5 && found.value("vitrine_http_malformed_requests_total") == 6)
        #expect(found.value("vitrine_http_requests_rejected_total") == 7 && found.value("vitrine_http_received_bytes_total") == 8)
        #expect(found.value("vitrine_http_sent_bytes_total") == Double(1 << 53) && found.value("vitrine_http_copied_body_bytes") == 24)
        #expect(found.value("vitrine_database_connections", ["loop": "http-0", "state": "idle"]) == 1)
        #expect(found.value("vitrine_database_waiting_requests", ["loop": "http-0"]) == 3)
        #expect(found.value("vitrine_database_up", ["loop": "http-0"]) == 1)
        #expect(found.value("vitrine_database_connections", ["loop": "http-0", "state": "in_use"]) == 2)
        #expect(found.value("vitrine_database_up", ["loop": "a \"b\" \\ c\nd"]) == 0)
        #expect(found.value("vitrine_event_loop_stalls_total", ["loop": "http-0"]) == 5)
        #expect(found.value("vitrine_event_loop_longest_stall_seconds", ["loop": "http-0"]) == 0.125)
        #expect(found.value("vitrine_sync_waiting_clients") == 18)
        let now = Double(SystemInfo.wallClock) / 1_000_000
        let started = try #require(found.value("process_start_time_seconds"))
        #expect(started > now - 86_400 && started < now + 5)
        #expect(try #require(found.value("process_resident_memory_bytes")) > 1_000_000)
        #expect(try #require(found.value("process_open_fds")) >= 3)
    }

    @Test("Metrics contain the values of the sequencer if the process has one")
    func sequencer() async throws {
        let found = try Exposition(await metrics.text())
        #expect(found.value("vitrine_sequencer_leader") == 1 && found.value("vitrine_sequencer_published_versions_total") == 11)
        #expect(found.value("vitrine_sequencer_drain_duration_seconds_count") == 12)
        #expect(found.value("vitrine_sequencer_drain_duration_seconds_sum") == 1.5)
        #expect(
            found.value("vitrine_sequencer_last_drain_duration_seconds") == 0.25 && found.value("vitrine_sequencer_failures_total") == 13)
        #expect(found.value("vitrine_sequencer_head_version") == 14)
        #expect(found.value("vitrine_sequencer_retained_sections", ["reason": "too_few_items"]) == 15)
        #expect(found.value("vitrine_sequencer_retained_sections", ["reason": "timeout"]) == 16)
        #expect(found.value("vitrine_sequencer_retained_sections", ["reason": "skipped"]) == 18)
        #expect(found.value("vitrine_sequencer_retained_sections", ["reason": "failed"]) == 29)
        #expect(found.value("vitrine_sequencer_unreadable_documents") == 17)
        #expect(found.value("vitrine_outbox_changes", ["lane": "edits"]) == 24)
        #expect(found.value("vitrine_outbox_changes", ["lane": "imports"]) == 25)
        #expect(found.value("vitrine_sequencer_due_sections") == 28)
        #expect(found.value("vitrine_import_wait_seconds_total") == 2.6)
        #expect(found.value("vitrine_live_findings", ["code": "PIN_GONE", "severity": "warning"]) == 22)
        #expect(found.value("vitrine_live_findings", ["code": "FEED_EMPTY", "severity": "error"]) == 23)
        #expect(found.value("vitrine_live_findings", ["code": "SECTION_MISSING", "severity": "error"]) == 26)
        #expect(found.value("vitrine_live_findings", ["code": "SECTION_MISSING", "severity": "warning"]) == 27)
        let findings = found.samples.filter { $0.name == "vitrine_live_findings" }
        #expect(findings.count == LiveFinding.Kind.all.count && findings.map(\.value).reduce(0, +) == 98)
        #expect(
            found.value("vitrine_consistency_check_mismatches_total") == 18 && found.value("vitrine_consistency_check_failures_total") == 19
        )
        #expect(
            found.value("vitrine_consistency_check_last_mismatches") == 20
                && found.value("vitrine_consistency_check_last_duration_seconds") == 2.5)
        #expect(found.value("vitrine_consistency_check_last_timestamp_seconds") == 21)
        let without = Metrics(requests: RequestMetrics(), counters: { ServerCounters() }, pools: { [] }, loops: { [] })
        #expect(await !without.text().contains("vitrine_sequencer"))
    }

    @Test("Only the leader reports the number of live findings")
    func leader() {
        let recorder = SequencerMetricsRecorder()
        #expect(recorder.metrics.findings == nil)
        recorder.noteElection()
        var report = Sequencer.Report()
        report.findingCounts = [LiveFinding.Kind(.noBase): 1]
        recorder.note(report, took: .zero)
        #expect(recorder.metrics.findings == report.findingCounts)
        recorder.noteFailure()
        #expect(recorder.metrics.findings == nil)
    }

    @Test("Requests are counted by route, method and status, with their durations")
    func counted() async throws {
        let application = Application(
            [.telling(.get, "/v1/{name}")], middleware: [.observing(requests, .silent)], metrics: requests)
        for path in ["/v1/a", "/v1/b", "/nowhere", "/elsewhere"] { _ = try await application.send("GET \(path)") }
        _ = try await application.send("PUT /v1/a")
        _ = application.service.refuse(RequestError(.badRequest, "malformed"), nil)
        let found = try Exposition(await metrics.text())
        let count = { found.value("vitrine_http_requests_total", ["route": $0, "method": $1, "status": $2]) }
        #expect(count("/v1/{name}", "GET", "200") == 2)
        #expect(count("none", "GET", "404") == 2)
        #expect(count("none", "PUT", "405") == 1)
        #expect(count("none", "OTHER", "400") == 1)
        #expect(found.value("vitrine_http_request_duration_seconds_count", ["route": "/v1/{name}"]) == 2)
    }

    @Test("The requests of all event loops are added up")
    func added() async throws {
        let metrics = RouteMetrics()
        let group = try EventLoopGroup(name: "http", count: 3)
        for loop in group.loops {
            await Task(executorPreference: loop) { metrics.count(method: .get, status: .ok, nanoseconds: 1_000) }.value
        }
        await group.stop()
        metrics.count(method: .get, status: .notFound)
        let snapshot = metrics.snapshot
        #expect(snapshot.requests.map(\.status) == [200, 404] && snapshot.requests.map(\.count) == [3, 1])
        #expect(snapshot.durations.first == 3 && snapshot.durations.reduce(0, +) == 3 && snapshot.sum == 3_000)
    }

    @Test("Repeated requests are counted like others, whatever their duration, method and loop")
    func repeated() async throws {
        let (metrics, plain) = (RouteMetrics(), RouteMetrics())
        let group = try EventLoopGroup(name: "http", count: 3)
        for loop in group.loops {
            await Task(executorPreference: loop) {
                for method in [Method.get, .head, .get, .other("BREW"), .other("BOIL")] {
                    for status in [Status.ok, .notModified] {
                        let count = metrics.counter(method: method, status: status)
                        for (requests, nanoseconds) in [(1, Int64(0)), (8, 2_000), (3, 100_000), (2, 100_001), (1, 20_000_000_000)] {
                            count(requests, nanoseconds)
                            plain.count(requests, method: method, status: status, nanoseconds: nanoseconds)
                        }
                    }
                }
            }.value
        }
        await group.stop()
        // A counter without requests is no time series.
        _ = metrics.counter(method: .post, status: .ok)
        func lines(_ snapshot: RouteMetrics.Snapshot) -> [String] {
            snapshot.requests.map { "\($0.method) \($0.status) \($0.count)" }.sorted()
                + ["\(snapshot.durations)", "\(snapshot.sum)"]
        }
        #expect(lines(metrics.snapshot) == lines(plain.snapshot) && metrics.snapshot.requests.map(\.count).reduce(0, +) == 450)
    }

    @Test("A request that the server rejects is counted once, with its route", .onOwnThread)
    func refused() async throws {
        let waiting = Route(.get, "/waiting") { call in
            call.later { loop in
                try await loop.sleep(until: .never)
                return Response(.ok)
            }
        }
        let failures = Locked(0)
        let application = Application(
            [waiting, .telling(.put, "/v1/{name}")], middleware: [.observing(requests, .silent)], metrics: requests,
            failed: { _, _ in failures.withLock { $0 += 1 } })
        var limits = ServerLimits()
        limits.request = .milliseconds(100)
        let group = try EventLoopGroup(name: "http", count: 1)
        let server = try await HTTPServer([.tcp(host: "127.0.0.1", port: 0)], on: group, service: application.service, limits: limits)
        let url = "http://127.0.0.1:\(server.ports[0] ?? 0)"
        for parts in [
            ["--http1.1", "\(url)/waiting"], ["--http2-prior-knowledge", "\(url)/waiting"], ["-X", "PUT", "-d", "hello", "\(url)/v1/a"],
        ] {
            let (_, status) = try ProcessLaunch("curl", ["-sS", "--max-time", "50"] + parts).output(within: .seconds(60))
            #expect(status.isSuccess)
        }
        // By then, the tasks whose response nothing waits for have ended.
        await server.shutDown(until: .after(.seconds(30)))
        await group.stop()
        #expect(failures.withLock { $0 } == 0, "to be given up is no mistake")
        let found = try Exposition(await metrics.text())
        let counts = found.samples.filter { $0.name == "vitrine_http_requests_total" }
        #expect(found.value("vitrine_http_requests_total", ["route": "/waiting", "method": "GET", "status": "503"]) == 2)
        #expect(counts.map(\.value).reduce(0, +) == 3 && !counts.contains { $0.labels["route"] == "none" }, "\(counts)")
        #expect(found.value("vitrine_http_request_duration_seconds_bucket", ["route": "/waiting", "le": "0.05"]) == 0)
        #expect(found.value("vitrine_http_request_duration_seconds_count", ["route": "/waiting"]) == 2)
    }

    @Test(
        "A stream above the limit is counted once, with the status that its client gets and with its route", .onOwnThread,
        arguments: ["--http1.1", "--http2-prior-knowledge"])
    func streamTooMany(version: String) async throws {
        let statuses = Locked<[Observation.Value?]>([])
        let telemetry = Telemetry(
            now: { .epoch },
            sinks: [{ observation, _ in statuses.withLock { $0.append(observation.fields.first { $0.name == "status" }?.value) } }])
        let routes = [
            Route(.get, "/events") { _ in .now(.events { _ in }) },
            Route(.get, "/events/later") { call in call.later { _ in .events { _ in } } },
        ]
        let application = Application(routes, middleware: [.observing(requests, telemetry)], metrics: requests)
        var limits = ServerLimits()
        limits.eventStreams = 0
        let group = try EventLoopGroup(name: "http", count: 1)
        let server = try await HTTPServer([.tcp(host: "127.0.0.1", port: 0)], on: group, service: application.service, limits: limits)
        for route in routes {
            let url = "http://127.0.0.1:\(server.ports[0] ?? 0)\(route.pattern)"
            let (text, _) = try ProcessLaunch("curl", ["-sS", "-i", "--max-time", "50", version, url]).output(within: .seconds(60))
            #expect(text.contains(" 503") && text.contains("retry-after: 1\r\n") && text.contains("application/problem+json"), "\(text)")
        }
        let counters = await server.counters()
        await server.shutDown(until: .after(.seconds(30)))
        await group.stop()
        let counts = try Exposition(await metrics.text()).samples.filter { $0.name == "vitrine_http_requests_total" }
        #expect(counts.count == 2 && counts.allSatisfy { $0.labels["status"] == "503" && $0.value == 1 }, "\(counts)")
        #expect(Set(counts.map { $0.labels["route"] }) == ["/events", "/events/later"])
        #expect(statuses.withLock { $0 } == [503, 503] && counters.rejectedRequests == 2)
    }

    @Test("A duration is counted in the bucket of the first bound that is not smaller")
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

    @Test("Sums of durations do not overflow, however long the process lives")
    func longSums() async throws {
        for _ in 0..<3 { requests.ofNoRoute.count(method: .get, status: .ok, nanoseconds: .max) }
        var snapshot = requests.ofNoRoute.snapshot
        snapshot.add(snapshot)
        #expect(snapshot.sum == 6 * Int128(Int64.max))
        let found = try Exposition(await metrics.text())
        let sum = try #require(found.value("vitrine_http_request_duration_seconds_sum", ["route": "none"]))
        #expect(abs(sum / (3 * Double(Int64.max) / 1e9) - 1) < 1e-9)
    }

    @Test("Time spent waiting for an event is not part of the duration")
    func waiting() async throws {
        let route = Route(.get, "/waiting") { call in
            call.waiting(until: .after(.seconds(30))) { _ in Response(.ok) }
        }
        let application = Application(
            [route, .telling(.get, "/v1/{name}")], middleware: [.observing(requests, .silent)], metrics: requests)
        _ = try await application.send("GET /waiting")
        _ = try await application.send("GET /v1/a")
        let found = try Exposition(await metrics.text())
        #expect(found.value("vitrine_http_requests_total", ["route": "/waiting", "method": "GET", "status": "200"]) == 1)
        #expect(found.value("vitrine_http_request_duration_seconds_count", ["route": "/waiting"]) == 0)
        #expect(found.value("vitrine_http_request_duration_seconds_count", ["route": "/v1/{name}"]) == 1)
    }

    @Test("A client cannot create a time series")
    func cardinality() async throws {
        let application = Application(
            [.telling(.get, "/v1/{name}")], middleware: [.observing(requests, .silent)], metrics: requests)
        for number in 0..<50 { _ = try await application.send("BREW\(number) /v1/\(number)", ["X-Request-ID: \(number)"]) }
        for number in 0..<50 { _ = try await application.send("GET /\(number)/\(number)") }
        let found = try Exposition(await metrics.text())
        #expect(found.samples.filter { $0.name == "vitrine_http_requests_total" }.count == 2)
        #expect(found.value("vitrine_http_requests_total", ["route": "none", "method": "OTHER", "status": "405"]) == 50)
    }
}
