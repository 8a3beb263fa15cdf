internal import API
internal import HTTP
internal import HTTPMessages
internal import Host
internal import Telemetry

struct Metrics: Sendable {
    let requests: RequestMetrics
    let counters: @Sendable () async -> ServerCounters
    let pools: @Sendable () async -> [PoolMetrics]
    let loops: @Sendable () -> [EventLoopMetrics]
    /// The metrics of the sequencer; nil if another process publishes.
    var sequencer: @Sendable () -> SequencerMetrics? = { nil }
    /// The number of clients that wait for the next published change.
    var waiting: @Sendable () -> Int = { 0 }
    /// The metrics of authentication; nil if the process has no admin API.
    var access: AuthMetrics?
    /// The readiness check; nil if the process has none.
    var readiness: ReadinessCheck?
    var droppedLogLines: @Sendable () -> Int = { 0 }

    struct PoolMetrics: Sendable {
        let loop: String
        let leased: Int
        let idle: Int
        let waiting: Int
        let isServerAway: Bool
    }

    struct EventLoopMetrics: Sendable {
        let loop: String
        /// The number of stalls of the loop.
        let blocked: Int
        let longestSeconds: Double
    }

    func text() async -> String {
        var text = PrometheusText()
        append(requests.snapshot, to: &text)
        append(await counters(), to: &text)
        append(await pools(), to: &text)
        append(loops(), to: &text)
        sequencer()?.append(to: &text)
        text.single("vitrine_sync_waiters", .gauge, "Clients that wait for what is published next.", Double(waiting()))
        access?.append(to: &text)
        if let readiness { append(readiness.state, to: &text) }
        text.single(
            "vitrine_log_dropped_lines_total", .counter, "Lines of the log that were lost because its reader was too slow.",
            Double(droppedLogLines()))
        if let process = ProcessMetrics.now { append(process, to: &text) }
        return text.text
    }

    private func append(_ metrics: [String: RouteMetrics.Snapshot], to text: inout PrometheusText) {
        let routes = metrics.sorted { $0.key < $1.key }
        text.describe("vitrine_http_requests_total", .counter, "Requests that were answered.")
        for (route, metrics) in routes {
            let outcomes = metrics.requests.map { (method: $0.method.description, status: $0.status, count: $0.count) }
            for outcome in outcomes.sorted(by: { ($0.method, $0.status) < ($1.method, $1.status) }) {
                text.sample(
                    "vitrine_http_requests_total", ["route": route, "method": outcome.method, "status": "\(outcome.status)"],
                    Double(outcome.count))
            }
        }
        let name = "vitrine_http_request_duration_seconds"
        text.describe(name, .histogram, "From the end of a request to its answer.")
        for (route, metrics) in routes {
            var sum = 0
            for (bound, count) in zip(RouteMetrics.bounds, metrics.durations) {
                sum += count
                text.sample("\(name)_bucket", ["route": route, "le": "\(Double(bound) / 1e9)"], Double(sum))
            }
            sum += metrics.durations.last ?? 0
            text.sample("\(name)_bucket", ["route": route, "le": "+Inf"], Double(sum))
            text.sample("\(name)_sum", ["route": route], Double(metrics.sum) / 1e9)
            text.sample("\(name)_count", ["route": route], Double(sum))
        }
    }

    private func append(_ counters: ServerCounters, to text: inout PrometheusText) {
        text.single("vitrine_http_connections_total", .counter, "Connections that were accepted.", Double(counters.accepted))
        text.single("vitrine_http_connections", .gauge, "Connections that are open.", Double(counters.open))
        text.single("vitrine_http_connections_refused_total", .counter, "Connections beyond the limit.", Double(counters.turnedAway))
        text.single("vitrine_http_malformed_requests_total", .counter, "Requests that could not be read.", Double(counters.refusals))
        text.single(
            "vitrine_http_overloads_total", .counter, "Requests that were refused because a loop was at one of its limits.",
            Double(counters.overloads))
        text.single("vitrine_http_body_bytes", .gauge, "Bytes of request bodies in memory.", Double(counters.bodyBytes))
        text.single("vitrine_http_received_bytes_total", .counter, "Bytes that clients sent.", Double(counters.bytesReceived))
        text.single("vitrine_http_sent_bytes_total", .counter, "Bytes that clients took.", Double(counters.bytesSent))
    }

    private func append(_ pools: [PoolMetrics], to text: inout PrometheusText) {
        text.describe("vitrine_database_connections", .gauge, "Connections to the database.")
        for pool in pools {
            text.sample("vitrine_database_connections", ["loop": pool.loop, "state": "idle"], Double(pool.idle))
            text.sample("vitrine_database_connections", ["loop": pool.loop, "state": "leased"], Double(pool.leased))
        }
        text.describe("vitrine_database_waiters", .gauge, "Requests that wait for a connection to the database.")
        for pool in pools { text.sample("vitrine_database_waiters", ["loop": pool.loop], Double(pool.waiting)) }
        text.describe("vitrine_database_up", .gauge, "Whether the last attempt to connect succeeded.")
        for pool in pools { text.sample("vitrine_database_up", ["loop": pool.loop], pool.isServerAway ? 0 : 1) }
    }

    private func append(_ loops: [EventLoopMetrics], to text: inout PrometheusText) {
        text.describe("vitrine_loop_blocked_total", .counter, "Events that held a loop for longer than they may.")
        for loop in loops { text.sample("vitrine_loop_blocked_total", ["loop": loop.loop], Double(loop.blocked)) }
        text.describe("vitrine_loop_longest_seconds", .gauge, "The longest of them.")
        for loop in loops { text.sample("vitrine_loop_longest_seconds", ["loop": loop.loop], loop.longestSeconds) }
    }

    private func append(_ state: ReadinessCheck.State, to text: inout PrometheusText) {
        let (isReady, isDegraded) =
            switch state {
            case .ready: (true, false)
            case .degraded: (true, true)
            case .notReady: (false, false)
            }
        text.single("vitrine_ready", .gauge, "Whether /readyz answers 200.", isReady ? 1 : 0)
        text.describe("vitrine_degraded", .gauge, "Whether the server serves from memory alone.")
        text.sample("vitrine_degraded", ["reason": "database"], isDegraded ? 1 : 0)
    }

    private func append(_ process: ProcessMetrics, to text: inout PrometheusText) {
        text.single("process_cpu_seconds_total", .counter, "Processor time.", process.cpuSeconds)
        text.single("process_resident_memory_bytes", .gauge, "Memory in use.", Double(process.residentBytes))
        text.single("process_open_fds", .gauge, "Open descriptors.", Double(process.openDescriptors))
        text.single("process_max_fds", .gauge, "The most descriptors that may be open.", Double(process.descriptorLimit))
        text.single("process_start_time_seconds", .gauge, "When the process began, since 1970.", process.startSeconds)
    }
}
