package import API
internal import Catalog
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Host
package import Postgres
internal import SQLFiles
internal import ScreenFiles
internal import Security
package import Settings
internal import Sync
internal import Values

/// The parts of a server, which start in order and stop in reverse.
///
/// Its calls block the calling thread, which is the main one. If the main thread were suspended instead, libdispatch
/// would take it over and let through every signal that was held.
package struct ServerRuntime {
    private let settings: Settings
    private let log: ServeLog
    private let group: EventLoopGroup
    private let pools: ConnectionPools
    private let readiness: ReadinessCheck
    private let lookout: Task<Void, Never>
    /// The background tasks: indexing imported items, publishing, and refreshing pages.
    private let work: [Task<Void, Never>]
    /// The task that runs the imports of curators. It depends on requests, so it ends after the last of them.
    private let importing: Task<Void, Never>
    /// The loops for publishing and refreshing, which are separate so that they do not delay requests.
    private let backstage: EventLoopGroup
    /// The loops whose threads draw images.
    private let painting: EventLoopGroup
    private let server: HTTPServer
    private let sync: SyncService
    /// The listener for monitoring, which ends last.
    private let operations: OperationsListener
    /// The running listener for monitoring; nil if it is turned off.
    private let operationsEndpoint: OperationsListener.Running?
    private let turns: TurnCheck

    /// Creates a server. `routes` are added to those of the catalog, of artwork and of monitoring.
    package init(
        _ settings: Settings, _ url: DatabaseURL, keys: [SyncKey], environment: [String: String],
        routes: @Sendable (ConnectionPools) -> [Route] = { _ in [] },
        _ log: ServeLog
    ) throws {
        self.settings = settings
        self.log = log
        SystemInfo.raiseOpenFileLimit()
        // The library is read here, so that an invalid query fails the start and not a request.
        _ = QueryLibrary.builtIn
        let encryption = try settings.tls.map(Self.context)
        let limits = ServedLimits(settings)
        let inherited = try InheritedSockets.claim(environment)
        let lag = EventLoopStallMetrics()
        let group = try EventLoopGroup(name: "http", count: settings.eventLoops ?? SystemInfo.cores) { event in
            lag.note(event)
            log.record(event)
        }
        self.group = group
        let pools = ConnectionPools(group, settings, url, log)
        self.pools = pools
        let probe = DatabaseProbe(pools.configuration, try .product())
        let visible = PageService(
            screens: try .builtIn(), now: { Timestamp(clamping: SystemInfo.wallClock) })
        let sync = SyncService(
            pages: visible, codec: try CursorCodec(keys),
            limits: limits.sync, pool: { pools.pool(of: $0) })
        self.sync = sync
        let readiness = ReadinessCheck(changed: log.record) { loop in
            ReadinessCheck.State(await probe.inspect(on: loop), pagesAreRead: visible.isRead)
        }
        self.readiness = readiness
        let requests = RequestMetrics()
        let catalog = CatalogService.product(pools)
        let access = AuthMetrics()
        let importWait = ImportWaitMeter()
        let imports = ImportWorker(
            pools.configuration,
            waiting: { changes, pause in
                importWait.add(pause)
                log.recordImportWaiting(changes: changes)
            }, failed: log.recordImportCleanupFailed)
        let admin = try AdminService(
            catalog, pages: visible, screens: .builtIn(),
            access: Authenticator(access, refused: log.recordTokenRejected), imports: imports,
            timeout: settings.timeouts.adminRequest, actionSchemes: limits.actionSchemes)
        let counters = Locked<HTTPServer?>(nil)
        let meter = SequencerMetricsRecorder()
        let runsSequencer = settings.runsSequencer
        let operations = try OperationsListener(observer: log.record)
        self.operations = operations
        let metrics = Metrics(
            requests: requests,
            counters: {
                await counters.withLock { $0 }?.counters(until: .after(Self.timeout), on: operations.loop) ?? ServerCounters()
            }, pools: { await pools.metrics(within: Self.timeout, on: operations.loop) },
            loops: { lag.metrics(of: group.loops.map(\.name)) },
            sequencer: { runsSequencer ? meter.metrics : nil }, waiting: { sync.waiting },
            importWait: { importWait.total }, access: access, readiness: readiness,
            droppedLogLines: { log.output.droppedLines })
        let backstage = try EventLoopGroup(name: "backstage", count: 6) { _ in }
        self.backstage = backstage
        let painting = try EventLoopGroup(name: "painter", count: 2)
        self.painting = painting
        let images = ImageService(on: Painters(painting.loops, relay: backstage.loops[3]))
        let application = Application(
            Route.all(readiness, metrics, catalog, visible, sync, admin, images) + routes(pools),
            middleware: .ofServe(requests, log.telemetry),
            bodyLimit: settings.limits.bodyBytes, proxies: TrustedProxies(settings.trustedProxies), metrics: requests, failed: log.record)
        let watched = Application(
            Route.operations(readiness, metrics), middleware: .ofServe(requests, log.telemetry), metrics: requests, failed: log.record)
        let endpoints = inherited.isEmpty ? settings.listen.map(ListeningSocket.Endpoint.init) : []
        server = try blocking {
            await pools.start()
            return try await HTTPServer(
                endpoints, adopting: inherited, on: group, service: application.service, limits: limits.connections, encryption: encryption,
                sharesPort: settings.sharesPort)
        }
        // The operations listener starts after the listeners for clients, so that an automatic address never takes one
        // of theirs.
        let sharesPort = settings.sharesPort || !inherited.isEmpty
        operationsEndpoint = try blocking { try await operations.start(settings.operationsListen, watched.service, sharesPort: sharesPort) }
        lookout = Task(executorPreference: operations.loop) {
            await readiness.watch(on: operations.loop)
            probe.close()
        }
        let deriving = IndexingJob(pools, log)
        let refreshing = PageRefreshJob(visible, pools.configuration, log) { sync.publish($0) }
        let sequencing = SequencerJob.ofServer(settings, pools.configuration, log, meter)
        let auditing = ConsistencyCheckJob.ofServer(settings, pools.configuration, log, meter)
        let compressing = PageCompressionJob(visible)
        work = [
            Task(executorPreference: group.loops[0]) { await deriving.run(on: group.loops[0]) },
            Task(executorPreference: backstage.loops[0]) { await refreshing.run(on: backstage.loops[0]) },
            Task(executorPreference: backstage.loops[1]) { await sequencing?.run(on: backstage.loops[1]) },
            Task(executorPreference: backstage.loops[3]) { await compressing.run(on: backstage.loops[3], beside: backstage.loops[2]) },
            Task(executorPreference: backstage.loops[3]) { await sync.wakeWaiters(on: backstage.loops[3]) },
            Task(executorPreference: backstage.loops[4]) { await auditing?.run(on: backstage.loops[4]) },
        ]
        // The compressing loop runs at the lowest priority. Under load it may not turn for minutes, and nothing waits
        // for it.
        let turning = backstage.loops.enumerated().filter { $0.offset != 2 }.map(\.element)
        turns = TurnCheck(group.loops + turning + [operations.loop])
        importing = Task(executorPreference: backstage.loops[5]) { await imports.run(on: backstage.loops[5]) }
        let running = server
        counters.withLock { $0 = running }
        let scheme = settings.tls == nil ? "http" : "https"
        addresses = inherited.isEmpty ? zip(settings.listen, server.ports).map { $0.url(scheme, port: $1) } : []
        log.recordListening(inherited.isEmpty ? settings.listen.map(\.description) : ["inherited socket"], server.ports)
        if let operationsEndpoint { log.recordOperations(operationsEndpoint) }
    }

    /// The listening addresses with the ports that the system chose; empty if the sockets were inherited.
    package let addresses: [String]

    /// The maximum time that a scrape waits for a stalled loop.
    private static let timeout = Duration.milliseconds(500)

    /// Returns the names of the loops that have not turned since the last call.
    package func lateLoops() -> [String] { turns.late() }

    /// The URL of the operations listener; nil if it is turned off.
    package var operationsAddress: String? { operationsEndpoint.map { $0.address.url("http", port: $0.port) } }

    /// Reloads the sync keys and the certificate. If one of them is invalid, the previous one stays.
    package func reload(keys: () throws -> [SyncKey]) {
        reloadKeys(keys)
        reloadCertificate()
    }

    private func reloadKeys(_ read: () throws -> [SyncKey]) {
        do {
            let keys = try read()
            sync.replaceSigningKey(by: try CursorCodec(keys))
            log.recordReloaded(keys: keys.map(\.id))
        } catch {
            log.recordReloadFailed(keys: error)
        }
    }

    private func reloadCertificate() {
        guard let tls = settings.tls else { return log.recordNothingToReload() }
        do throws(TLSError) {
            let context = try Self.context(tls)
            blocking { await server.replaceEncryption(by: context) }
            log.recordReloaded()
        } catch {
            log.record(error)
        }
    }

    /// The time for closing the remaining parts, after the last response.
    private static let closing = Duration.seconds(1)

    /// Reports that it is not ready, completes the started requests, and closes everything in the reverse of the
    /// opening order.
    ///
    /// Returns false if a request neither ends nor can be canceled, so that only the end of the process ends it.
    package func stop(within limit: Duration) -> Bool {
        readiness.startShutdown()
        log.recordStopping(limit)
        let isStopped =
            blocking(within: limit + Self.closing) {
                for task in work { task.cancel() }
                // Waiting clients are released when their loop knows that the connection ends with the response.
                await server.shutDown(until: .after(limit)) { sync.startShutdown() }
                importing.cancel()
                lookout.cancel()
                await lookout.value
                await importing.value
                for task in work { await task.value }
                await painting.stop()
                await backstage.stop()
                await pools.shutDown()
                await group.stop()
                await operationsEndpoint?.server.shutDown(until: .after(.milliseconds(200)))
                await operations.stop()
            } != nil
        if isStopped { log.recordStopped() } else { log.recordStopTimeout() }
        return isStopped
    }

    private static func context(_ tls: Settings.TLS) throws(TLSError) -> TLSContext {
        try TLSContext(certificate: tls.certificate, key: tls.key, protocols: ["h2", "http/1.1"])
    }
}

extension ListeningSocket.Endpoint {
    init(_ address: ListenAddress) {
        self =
            switch address {
            case .host(let name, let port): .tcp(host: name, port: port)
            case .anyHost(let port): .tcp(host: nil, port: port)
            case .unix(let path): .unix(path)
            }
    }
}

extension ListenAddress {
    /// Returns the URL as a client on this machine writes it.
    func url(_ scheme: String, port: Int?) -> String {
        switch self {
        case .host(let name, let given): "\(scheme)://\(ListenAddress.host(name, port: port ?? given))"
        case .anyHost(let given): "\(scheme)://127.0.0.1:\(port ?? given)"
        case .unix: description
        }
    }
}

struct ServedLimits {
    let connections: ServerLimits
    let sync: SyncService.Limits
    /// The schemes of the URLs that actions of feeds can open.
    let actionSchemes: Set<String>

    init(_ settings: Settings) {
        connections = ServerLimits(settings)
        sync = SyncService.Limits(settings)
        actionSchemes = Set(settings.actionSchemes)
    }
}

extension Route {
    /// Returns all routes of a server. Each is documented in `config/api/openapi.json`.
    static func all(
        _ readiness: ReadinessCheck, _ metrics: Metrics, _ catalog: CatalogService, _ pages: PageService, _ sync: SyncService,
        _ admin: AdminService, _ images: ImageService
    ) -> [Route] {
        operations(readiness, metrics) + documentation() + [.images(images)] + Route.catalog(catalog) + Route.pages(pages)
            + Route.sync(sync)
            + Route.admin(admin)
    }
}

extension MigrationRunner {
    package static func product() throws -> MigrationRunner {
        MigrationRunner(
            try MigrationSet(SQLFiles.migrations, digest: Digest.sha256))
    }
}

extension CatalogService {
    /// Returns the service that takes its connections from the pool of the request's loop.
    static func product(_ pools: ConnectionPools) -> CatalogService {
        CatalogService(
            pool: { pools.pool(of: $0) },
            now: { Timestamp(clamping: SystemInfo.wallClock) })
    }
}
