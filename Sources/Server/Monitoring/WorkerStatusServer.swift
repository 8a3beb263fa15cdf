internal import API
internal import EventLoop
internal import HTTP
internal import Host
internal import Postgres
internal import Settings

/// The monitoring server of a worker: `/healthz`, `/readyz` and `/metrics` on their own loop, so that no request waits
/// for a drain.
struct WorkerStatusServer {
    private let group: EventLoopGroup
    var loops: [EventLoop] { group.loops }
    private let pools: ConnectionPools
    private let readiness: ReadinessCheck
    private let lookout: Task<Void, Never>
    private let server: HTTPServer

    /// Creates a server that listens at `settings.workerListen`, which is not empty.
    init(_ settings: Settings, _ url: DatabaseURL, _ meter: SequencerMetricsRecorder, _ log: ServeLog) throws {
        let lag = EventLoopStallMetrics()
        let group = try EventLoopGroup(name: "watch", count: 1) { event in
            lag.note(event)
            log.record(event)
        }
        self.group = group
        let pools = ConnectionPools(group, settings, url, log)
        self.pools = pools
        let probe = DatabaseProbe(pools.configuration, try .product())
        let readiness = ReadinessCheck(changed: log.record) { loop in ReadinessCheck.State(await probe.inspect(on: loop)) }
        self.readiness = readiness
        let requests = RequestMetrics()
        let counters = Locked<HTTPServer?>(nil)
        let metrics = Metrics(
            requests: requests, counters: { await counters.withLock { $0 }?.counters() ?? ServerCounters() },
            pools: { await pools.metrics(within: .seconds(1), on: group.loops[0]) },
            loops: { lag.metrics(of: group.loops.map(\.name)) }, sequencer: { meter.metrics }, readiness: readiness,
            droppedLogLines: { log.output.droppedLines })
        let application = Application(
            Route.operations(readiness, metrics), middleware: .ofServe(requests, log.telemetry), metrics: requests, failed: log.record)
        server = try blocking {
            await pools.start()
            return try await HTTPServer(
                settings.workerListen.map(ListeningSocket.Endpoint.init), adopting: [], on: group, service: application.service,
                limits: ServerLimits(settings), encryption: nil, sharesPort: settings.sharesPort)
        }
        lookout = Task(executorPreference: group.loops[0]) {
            await readiness.watch(on: group.loops[0])
            probe.close()
        }
        let running = server
        counters.withLock { $0 = running }
        log.recordListening(settings.workerListen.map(\.description), server.ports)
    }

    /// Completes the started requests, and closes everything in the reverse of the opening order.
    func stop() async {
        readiness.startShutdown()
        await server.shutDown(until: .after(.seconds(1)))
        lookout.cancel()
        await lookout.value
        await pools.shutDown()
        await group.stop()
    }
}
