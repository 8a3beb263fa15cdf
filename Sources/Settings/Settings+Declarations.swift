internal import Arguments
internal import Postgres
internal import Telemetry

extension Settings {
    static let configuration = Setting(
        "config", .path("FILE", completedBy: .files), default: "config/vitrine.json", isInFile: false,
        "Path of the settings file in JSON. The default file is optional; any other file must exist.")

    /// Declares and reads all settings, in the order of help and of every report.
    init(from reader: inout SettingsReader) {
        _ = reader.value(Self.configuration)
        databaseURL = reader.value(
            Setting(
                "database.url", ValueFormat.databaseURL.orAbsent("the embedded PostgreSQL"), default: nil,
                secretWhere: { $0?.hasPassword == true },
                "URL of the PostgreSQL database. A URL with a password must come from the environment or a file."))
        postgres = Postgres(from: &reader)
        listen = reader.value(
            Setting(
                list: "listen", .listenAddress, default: [.host("127.0.0.1", port: 8080)],
                "Addresses that the server listens on: host:port, [::1]:port, *:port or unix:/path."))
        operationsListen = reader.value(
            Setting(
                "operations.listen", .operationsListen, default: .auto,
                "Address of the operations endpoint of vitrine serve (/healthz, /readyz and /metrics, without TLS): an address, none or "
                    + "auto. auto is \(OperationsListen.standard), or another loopback port if that port is in use."))
        sharesPort = reader.value(
            Setting(
                "sharePort", .bool, default: false,
                "Share the listening ports with other processes. If false, a port that is in use is an error."))
        trustedProxies = reader.value(
            Setting(
                list: "trustedProxies", .trustedProxy, default: [],
                "Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: addresses, networks such as 10.0.0.0/8, or unix for the "
                    + "clients of a Unix socket."
            ))
        tls = TLS(from: &reader)
        log = Log(from: &reader)
        eventLoops = reader.value(
            Setting(
                "eventLoops", ValueFormat.integer(in: 1...256).orAuto(), default: nil, takesNumbers: true,
                "Number of event loops. auto is one per core that the CPU affinity and the cgroup quota allow."))
        poolSize = reader.count("pool.size", in: 1...64, default: 4, "Number of database connections per event loop.")
        poolMaxWaiting = reader.count(
            "pool.maxWaiting", in: 1...100_000, default: 1_000,
            "Maximum number of requests per event loop that wait for a database connection. Further requests get 503.")
        runsSequencer = reader.value(
            Setting(
                "sequencer", .bool, default: true,
                "Publish changes in vitrine serve. If false, only vitrine worker publishes them."))
        workerListen = reader.value(
            Setting(
                list: "worker.listen", .listenAddress, default: [],
                "Addresses of the operations endpoint of vitrine worker (/healthz, /readyz and /metrics, without TLS): host:port, *:port or "
                    + "unix:/path."))
        actionSchemes = reader.value(
            Setting(
                list: "actions.schemes", .urlScheme, default: ["https"],
                "Schemes of the URLs that the actions of feeds can open, such as https or the scheme of an app."))
        sync = Sync(from: &reader)
        timeouts = Timeouts(from: &reader)
        limits = Limits(from: &reader)
    }
}

extension Settings.Postgres {
    fileprivate init(from reader: inout SettingsReader) {
        directory = reader.value(
            Setting(
                "postgres.directory", .path("DIR", completedBy: .directories), default: ".vitrine/postgres",
                "Data directory of the embedded PostgreSQL."))
        socketDirectory =
            reader.value(
                Setting(
                    "postgres.socketDirectory",
                    ValueFormat.path("DIR", completedBy: .directories).orAbsent("the same as postgres.directory"),
                    default: nil,
                    "Directory of the socket of the embedded PostgreSQL.")) ?? directory
        binDirectory = reader.value(
            Setting(
                "postgres.binDirectory", ValueFormat.path("DIR", completedBy: .directories).orAbsent("the newest installed"),
                default: nil, "Directory of the programs initdb and postgres."))
    }
}

extension Settings.TLS {
    /// Returns nil if neither path is given, or if an issue was reported.
    fileprivate init?(from reader: inout SettingsReader) {
        let issueCount = reader.issues.count
        let path = ValueFormat.path("FILE", completedBy: .files).orAbsent("none")
        let certificate = reader.value(
            Setting("tls.certificate", path, default: nil, "Path of the certificate chain in PEM. Together with tls.key, it enables TLS."))
        let key = reader.value(Setting("tls.key", path, default: nil, "Path of the private key of tls.certificate in PEM."))
        guard let certificate, let key else {
            let isHalf = certificate != nil || key != nil
            if isHalf, reader.issues.count == issueCount {
                reader.refuse("expected tls.certificate and tls.key together, found only \(key == nil ? "tls.certificate" : "tls.key")")
            }
            return nil
        }
        self.init(certificate: certificate, key: key)
    }
}

extension Settings.Sync {
    fileprivate init(from reader: inout SettingsReader) {
        keys = reader.value(
            Setting(
                "sync.keys", .syncKeys, default: [], secretWhere: { !$0.isEmpty },
                "Keys for sync cursors. The first key signs cursors, and all keys verify them. The command vitrine sync keys creates and rotates keys."
            )
        )
        retention = reader.value(
            Setting(
                "sync.retention", .duration(in: .seconds(86_400)...(.seconds(3_650 * 86_400))), default: .seconds(60 * 86_400),
                "Time for which tombstones are kept. A client with an older cursor must resync."))
        maxWaiting = reader.count(
            "sync.maxWaiting", in: 1...1_000_000, default: 25_000,
            "Maximum number of clients that wait for changes. Further clients get 503.")
        maxWaitingPerAddress = reader.count(
            "sync.maxWaitingPerAddress", in: 1...1_000_000, default: 2_500,
            "Maximum number of waiting clients per address or IPv6 /64 network. Trusted proxies and this machine are exempt.")
        checkAt = reader.value(
            Setting(
                "sync.checkAt", .timeOfDay, default: TimeOfDay("03:30"),
                "Time of the daily consistency check in UTC, or never."))
    }
}

extension Settings.Log {
    fileprivate init(from reader: inout SettingsReader) {
        format = reader.value(
            Setting(
                "log.format", ValueFormat.choice(of: LogFormat.self).named("FORMAT").orAuto(), default: nil,
                "Format of the log. auto is text on a terminal and json otherwise."))
        level = reader.value(
            Setting(
                "log.level", .choice(of: Observation.Level.self).named("LEVEL"), default: .info,
                "Minimum level of the events in the log."))
    }
}

extension Settings.Timeouts {
    fileprivate init(from reader: inout SettingsReader) {
        connect = reader.timeout("timeouts.connect", upTo: 60, default: .seconds(3), "Maximum time to connect to the database.")
        statement = reader.timeout(
            "timeouts.statement", upTo: 300, default: .seconds(2),
            "Maximum time of a database statement. PostgreSQL cancels slower statements.")
        headers = reader.timeout(
            "timeouts.headers", upTo: 300, default: .seconds(10),
            "Maximum time to receive the headers of a request. Slower clients get 408.")
        body = reader.timeout(
            "timeouts.body", upTo: 3_600, default: .seconds(30),
            "Maximum time to receive the body of a request, or each 16 KiB of a larger body. Slower clients get 408.")
        idle = reader.timeout(
            "timeouts.idle", upTo: 3_600, default: .seconds(75),
            "Maximum time that a connection waits for its next request. Then the server closes the connection.")
        write = reader.timeout(
            "timeouts.write", upTo: 3_600, default: .seconds(30),
            "Maximum time without progress in sending a response. Then the server ends the response.")
        request = reader.timeout(
            "timeouts.request", upTo: 300, default: .milliseconds(2_500),
            "Maximum time to respond to a public request, except one that waits for changes. Slower requests get 503.")
        adminRequest = reader.timeout(
            "timeouts.adminRequest", upTo: 300, default: .seconds(20),
            "Maximum time to respond to a request of the admin API, except an import. Slower requests get 503.")
        linger = reader.timeout(
            "timeouts.linger", upTo: 60, default: .seconds(2),
            "Maximum time to keep the connection of a rejected request open, so that the client can read the response.")
        shutdown = reader.timeout(
            "timeouts.shutdown", upTo: 600, default: .seconds(10),
            "Maximum time for requests in progress to end during a shutdown. Then the server closes their connections.")
    }
}

extension Settings.Limits {
    fileprivate init(from reader: inout SettingsReader) {
        connections = reader.count(
            "limits.connections", in: 1...1_000_000, default: 10_000, "Maximum number of open connections. Further connections get 503.")
        connectionsPerAddress = reader.count(
            "limits.connectionsPerAddress", in: 1...1_000_000, default: 1_000,
            "Maximum number of open connections per address or IPv6 /64 network. Trusted proxies and this machine are exempt.")
        headerBytes = reader.count(
            "limits.headerBytes", in: 1_024...1_048_576, default: 16_384,
            "Maximum size of the headers of a request, in bytes. Larger headers get 431.")
        headerCount = reader.count(
            "limits.headerCount", in: 8...1_000, default: 100, "Maximum number of headers of a request. Requests with more headers get 431."
        )
        targetBytes = reader.count(
            "limits.targetBytes", in: 128...65_536, default: 8_192,
            "Maximum size of the path and query of a request, in bytes. Longer requests get 414.")
        bodyBytes = reader.count(
            "limits.bodyBytes", in: 1_024...67_108_864, default: 65_536,
            "Maximum size of the body of a request, in bytes. Larger bodies get 413. Documents, items and imports have other limits.")
        bufferedBodyBytes = reader.count(
            "limits.bufferedBodyBytes", in: 4_194_304...17_179_869_184, default: 67_108_864,
            "Maximum size of the request bodies in memory per event loop, in bytes. Further requests get 503.")
        if bufferedBodyBytes < bodyBytes {
            reader.refuse("expected limits.bufferedBodyBytes to be at least limits.bodyBytes, \(bodyBytes)")
        }
        requestsInFlight = reader.count(
            "limits.requestsInFlight", in: 1...100_000, default: 1_000,
            "Maximum number of requests in progress per event loop. Further requests get 503.")
        eventStreams = reader.count(
            "limits.eventStreams", in: 1...1_000_000, default: 5_000,
            "Maximum number of open event streams per event loop. Further streams get 503.")
        outputBufferBytes = reader.count(
            "limits.outputBufferBytes", in: 16_384...67_108_864, default: 262_144,
            "Size of the output buffer of a connection, in bytes. While it is full, the server reads nothing more from the client.")
        http2Streams = reader.count(
            "limits.http2Streams", in: 1...10_000, default: 100, "Maximum number of concurrent requests per HTTP/2 connection.")
        http2Resets = reader.count(
            "limits.http2Resets", in: 10...100_000, default: 200,
            "Maximum number of requests that an HTTP/2 client can cancel in quick succession. Each second, it can cancel a tenth of this number again. If it cancels more, the server closes the connection."
        )
        http2ControlFrames = reader.count(
            "limits.http2ControlFrames", in: 10...100_000, default: 200,
            "Maximum number of replies to SETTINGS and PING that an HTTP/2 client leaves unread. Beyond it, the server closes the connection."
        )
    }
}

extension SettingsReader {
    fileprivate mutating func count(_ name: SettingName, in bounds: ClosedRange<Int>, default standard: Int, _ meaning: String) -> Int {
        value(Setting(name, .integer(in: bounds), default: standard, takesNumbers: true, meaning))
    }

    fileprivate mutating func timeout(_ name: SettingName, upTo seconds: Int, default standard: Duration, _ meaning: String) -> Duration {
        value(Setting(name, .duration(in: .milliseconds(10)...(.seconds(seconds))), default: standard, meaning))
    }
}
