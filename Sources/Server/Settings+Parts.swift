internal import API
internal import HTTP
internal import HTTPMessages
internal import Postgres
internal import Settings

extension ServerLimits {
    init(_ settings: Settings) {
        self.init()
        head.headerBytes = settings.limits.headerBytes
        head.headerCount = settings.limits.headerCount
        head.targetBytes = settings.limits.targetBytes
        http2.streams = settings.limits.http2Streams
        http2.resets = settings.limits.http2Resets
        http2.controlFrames = settings.limits.http2ControlFrames
        connections = settings.limits.connections
        bodyBytes = settings.limits.bufferedBodyBytes
        connectionsPerAddress = settings.limits.connectionsPerAddress
        exempt = .exempt(settings)
        requestsInFlight = settings.limits.requestsInFlight
        eventStreams = settings.limits.eventStreams
        outputBufferBytes = settings.limits.outputBufferBytes
        headers = settings.timeouts.headers
        body = settings.timeouts.body
        idle = settings.timeouts.idle
        write = settings.timeouts.write
        request = settings.timeouts.request
        linger = settings.timeouts.linger
    }
}

extension SyncService.Limits {
    init(_ settings: Settings) {
        self.init(
            maxWaiting: settings.sync.maxWaiting, maxWaitingPerAddress: settings.sync.maxWaitingPerAddress, exempt: .exempt(settings),
            retention: settings.sync.retention)
    }
}

extension TrustedProxies {
    /// Returns the addresses that are exempt from the limits per client. A proxy has many clients, and so may an
    /// unlisted one on this machine.
    fileprivate static func exempt(_ settings: Settings) -> TrustedProxies {
        TrustedProxies(settings.trustedProxies + ["127.0.0.0/8", "::1"].compactMap(TrustedProxy.init))
    }
}

extension PoolLimits {
    init(_ settings: Settings) {
        self.init(minimum: 1, maximum: settings.poolSize)
        maxWaiting = settings.poolMaxWaiting
    }
}

extension SequencerJob {
    init(_ configuration: PostgresConfiguration, _ settings: Settings.Sync, _ log: ServeLog, _ meter: SequencerMetricsRecorder) {
        self.init(configuration, retention: settings.retention, log, meter)
    }

    /// Returns nil if other processes publish.
    static func ofServer(
        _ settings: Settings, _ configuration: PostgresConfiguration, _ log: ServeLog, _ meter: SequencerMetricsRecorder
    ) -> SequencerJob? {
        settings.runsSequencer ? SequencerJob(configuration, settings.sync, log, meter) : nil
    }
}

extension ConsistencyCheckJob {
    /// Returns nil if the check is turned off.
    init?(_ configuration: PostgresConfiguration, _ settings: Settings.Sync, _ log: ServeLog, _ meter: SequencerMetricsRecorder) {
        self.init(configuration, at: settings.checkAt, log, meter)
    }

    /// Returns nil if other processes publish or if the check is turned off.
    static func ofServer(
        _ settings: Settings, _ configuration: PostgresConfiguration, _ log: ServeLog, _ meter: SequencerMetricsRecorder
    ) -> ConsistencyCheckJob? {
        settings.runsSequencer ? ConsistencyCheckJob(configuration, settings.sync, log, meter) : nil
    }
}
