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
    /// The time for which imports have waited for publication; nil if the process has no imports.
    var importWait: @Sendable () -> Duration? = { nil }
    /// The metrics of authentication; nil if the process has no admin API.
    var access: AuthMetrics?
    /// The readiness check; nil if the process has none.
    var readiness: ReadinessCheck?
    var droppedLogLines: @Sendable () -> Int = { 0 }

    struct PoolMetrics: Sendable {
        let loop: String
        let inUse: Int
        let idle: Int
        let waiting: Int
        let isServerAway: Bool
    }

    struct EventLoopMetrics: Sendable {
        let loop: String
        /// The number of stalls of the loop.
        let stalls: Int
        let longestSeconds: Double
    }

    func text() async -> String {
        var text = PrometheusText()
        append(requests.snapshot, to: &text)
        append(await counters(), to: &text)
        append(await pools(), to: &text)
        append(loops(), to: &text)
        sequencer()?.append(to: &text)
        text.single("vitrine_sync_waiting_clients", .gauge, "Number of clients that wait for changes.", Double(waiting()))
        if let importWait = importWait() {
            text.single(
                "vitrine_import_wait_seconds_total", .counter, "Total time for which imports have waited for publication.",
                importWait / .seconds(1))
        }
        access?.append(to: &text)
        if let readiness { append(readiness.state, to: &text) }
        text.single(
            "vitrine_log_dropped_lines_total", .counter, "Total number of log lines dropped because the log reader was too slow.",
            Double(droppedLogLines()))
        if let process = ProcessMetrics.now { append(process, to: &text) }
        return text.text
    }

    private func append(_ metrics: [String: RouteMetrics.Snapshot], to text: inout PrometheusText) {
        let routes = metrics.sorted { $0.key < $1.key }
        text.describe("vitrine_http_requests_total", .counter, "Total number of HTTP requests, by route, method and response status.")
        for (route, metrics) in routes {
            let outcomes = metrics.requests.map { (method: $0.method.description, status: $0.status, count: $0.count) }
            for outcome in outcomes.sorted(by: { ($0.method, $0.status) < ($1.method, $1.status) }) {
                text.sample(
                    "vitrine_http_requests_total", ["route": route, "method": outcome.method, "status": "\(outcome.status)"],
                    Double(outcome.count))
            }
        }
        let name = "vitrine_http_request_duration_seconds"
        text.describe(name, .histogram, "Time from the end of an HTTP request to its response, by route.")
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
        text.single("vitrine_http_connections_total", .counter, "Total number of accepted connections.", Double(counters.accepted))
        text.single("vitrine_http_connections", .gauge, "Number of open connections.", Double(counters.open))
        text.single(
            "vitrine_http_connections_rejected_total", .counter, "Total number of connections rejected by a connection limit.",
            Double(counters.rejectedConnections))
        text.single(
            "vitrine_http_malformed_requests_total", .counter, "Total number of malformed requests.", Double(counters.malformedRequests))
        text.single(
            "vitrine_http_requests_rejected_total", .counter, "Total number of requests rejected by a limit of an event loop.",
            Double(counters.rejectedRequests))
        text.single("vitrine_http_body_bytes", .gauge, "Size of the request bodies in memory.", Double(counters.bodyBytes))
        text.single(
            "vitrine_http_copied_body_bytes", .gauge, "Size of the copies of large response bodies in memory.",
            Double(counters.copiedBodyBytes))
        text.single(
            "vitrine_http_received_bytes_total", .counter, "Total number of bytes received from clients.", Double(counters.bytesReceived))
        text.single("vitrine_http_sent_bytes_total", .counter, "Total number of bytes sent to clients.", Double(counters.bytesSent))
    }

    private func append(_ pools: [PoolMetrics], to text: inout PrometheusText) {
        text.describe("vitrine_database_connections", .gauge, "Number of database connections, by event loop and state.")
        for pool in pools {
            text.sample("vitrine_database_connections", ["loop": pool.loop, "state": "idle"], Double(pool.idle))
            text.sample("vitrine_database_connections", ["loop": pool.loop, "state": "in_use"], Double(pool.inUse))
        }
        text.describe("vitrine_database_waiting_requests", .gauge, "Number of requests that wait for a database connection, by event loop.")
        for pool in pools { text.sample("vitrine_database_waiting_requests", ["loop": pool.loop], Double(pool.waiting)) }
        text.describe("vitrine_database_up", .gauge, "Whether the last attempt to connect to the database succeeded, by event loop.")
        for pool in pools { text.sample("vitrine_database_up", ["loop": pool.loop], pool.isServerAway ? 0 : 1) }
    }

    private func append(_ loops: [EventLoopMetrics], to text: inout PrometheusText) {
        text.describe("vitrine_event_loop_stalls_total", .counter, "Total number of events that blocked an event loop for too long.")
        for loop in loops { text.sample("vitrine_event_loop_stalls_total", ["loop": loop.loop], Double(loop.stalls)) }
        text.describe("vitrine_event_loop_longest_stall_seconds", .gauge, "Duration of the longest stall of an event loop.")
        for loop in loops { text.sample("vitrine_event_loop_longest_stall_seconds", ["loop": loop.loop], loop.longestSeconds) }
    }

    private func append(_ state: ReadinessCheck.State, to text: inout PrometheusText) {
        let (isReady, isDegraded) =
            switch state {
            case .ready: (true, false)
            case .degraded: (true, true)
            case .notReady: (false, false)
            }
        text.single("vitrine_ready", .gauge, "Whether /readyz returns 200.", isReady ? 1 : 0)
        text.describe("vitrine_degraded", .gauge, "Whether the server serves pages from memory only, by reason.")
        text.sample("vitrine_degraded", ["reason": "database"], isDegraded ? 1 : 0)
    }

    private func append(_ process: ProcessMetrics, to text: inout PrometheusText) {
        text.single("process_cpu_seconds_total", .counter, "Total user and system CPU time in seconds.", process.cpuSeconds)
        text.single("process_resident_memory_bytes", .gauge, "Resident memory size in bytes.", Double(process.residentBytes))
        text.single("process_open_fds", .gauge, "Number of open file descriptors.", Double(process.openDescriptors))
        text.single("process_max_fds", .gauge, "Maximum number of open file descriptors.", Double(process.descriptorLimit))
        text.single(
            "process_start_time_seconds", .gauge, "Start time of the process since the Unix epoch in seconds.", process.startSeconds)
    }
}
