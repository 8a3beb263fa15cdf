internal import Arguments
internal import Postgres
internal import Telemetry

extension Settings {
    static let configuration = Setting(
        "config", .path("FILE", completedBy: .files), default: "config/vitrine.json", isInFile: false,
        "The file of settings; only the default one may be missing.")

    /// Declares and reads all settings, in the order of help and of every report.
    init(from reader: inout SettingsReader) {
        _ = reader.value(Self.configuration)
        databaseURL = reader.value(
            Setting(
                "database.url", ValueFormat.databaseURL.orAbsent("a private PostgreSQL"), default: nil,
                secretWhere: { $0?.hasPassword == true },
                "The PostgreSQL to use; a password stands in the environment or a file, never in the flag."))
        postgres = Postgres(from: &reader)
        listen = reader.value(
            Setting(
                list: "listen", .listenAddress, default: [.host("127.0.0.1", port: 8080)],
                "Where connections are accepted: host:port, [::1]:port, *:port or unix:/path."))
        operationsListen = reader.value(
            Setting(
                "operations.listen", .operationsListen, default: .auto,
                "Where vitrine serve answers /healthz, /readyz and /metrics under any load, not encrypted: an address, none, or auto, "
                    + "which is \(OperationsListen.standard) or another port of the loopback if that is taken."))
        sharesPort = reader.value(
            Setting("sharePort", .bool, default: false, "Lets other processes listen on the same ports, which is an error otherwise."))
        trustedProxies = reader.value(
            Setting(
                list: "trustedProxies", .trustedProxy, default: [],
                "Whose X-Forwarded-For and X-Forwarded-Proto are believed: addresses, networks as 10.0.0.0/8, and unix for a socket's clients."
            ))
        tls = TLS(from: &reader)
        log = Log(from: &reader)
        loops = reader.value(
            Setting(
                "loops", ValueFormat.integer(in: 1...256).orAuto(), default: nil, takesNumbers: true,
                "How many event loops run; auto is one for each core that the CPU affinity and the cgroup quota let the process use."))
        poolSize = reader.count("pool.size", in: 1...64, default: 4, "How many database connections each loop has.")
        poolWaiters = reader.count(
            "pool.waiters", in: 1...100_000, default: 1_000,
            "How many requests of each loop may wait for a database connection.")
        withoutSequencer = reader.value(
            Setting(
                "withoutSequencer", .bool, default: false, "Leaves it to vitrine worker to publish what changes, which serve does as well."
            ))
        workerListen = reader.value(
            Setting(
                list: "worker.listen", .listenAddress, default: [],
                "Where vitrine worker answers /healthz, /readyz and /metrics, not encrypted: host:port, *:port or unix:/path."))
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
                "Where the private PostgreSQL keeps its data."))
        socketDirectory =
            reader.value(
                Setting(
                    "postgres.socketDirectory",
                    ValueFormat.path("DIR", completedBy: .directories).orAbsent("the same as postgres.directory"),
                    default: nil,
                    "Where the private PostgreSQL has its socket.")) ?? directory
        binaries = reader.value(
            Setting(
                "postgres.binaries", ValueFormat.path("DIR", completedBy: .directories).orAbsent("the newest found"), default: nil,
                "Where initdb and postgres are."))
    }
}

extension Settings.TLS {
    /// Returns nil if neither path is given, or if an issue was reported.
    fileprivate init?(from reader: inout SettingsReader) {
        let issueCount = reader.issues.count
        let path = ValueFormat.path("FILE", completedBy: .files).orAbsent("none")
        let certificate = reader.value(
            Setting("tls.certificate", path, default: nil, "The certificate chain in PEM; turns encryption on, together with tls.key."))
        let key = reader.value(Setting("tls.key", path, default: nil, "The private key of tls.certificate in PEM."))
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
                "What the cursors of clients are sealed with, the newest first; vitrine sync keys makes one."))
        retention = reader.count(
            "sync.retention", in: 1...3_650, default: 60, "For how many days clients are told what has gone; an older cursor ends.")
        waiters = reader.count("sync.waiters", in: 1...1_000_000, default: 25_000, "How many clients may wait for what is published next.")
        waitersPerAddress = reader.count(
            "sync.waitersPerAddress", in: 1...1_000_000, default: 2_500,
            "The most waiting clients of one address or IPv6 /64 network; trusted proxies and this machine are exempt.")
        auditAt = reader.value(
            Setting(
                "sync.auditAt", .timeOfDay, default: TimeOfDay("03:30"),
                "When whoever publishes compares what is published with what should be, each day in UTC, or never."))
    }
}

extension Settings.Log {
    fileprivate init(from reader: inout SettingsReader) {
        format = reader.value(
            Setting(
                "log.format", ValueFormat.choice(of: LogFormat.self).named("FORMAT").orAuto(), default: nil,
                "How the log is written; auto is human on a terminal and json elsewhere."))
        level = reader.value(
            Setting(
                "log.level", .choice(of: Observation.Level.self).named("LEVEL"), default: .info,
                "What is less important is left out of the log."))
    }
}

extension Settings.Timeouts {
    fileprivate init(from reader: inout SettingsReader) {
        connect = reader.timeout("timeouts.connect", upTo: 60, default: .seconds(3), "How long connecting to the database may take.")
        statement = reader.timeout("timeouts.statement", upTo: 300, default: .seconds(2), "How long a statement in the database may take.")
        headers = reader.timeout(
            "timeouts.headers", upTo: 300, default: .seconds(10), "How long a client may take to send the headers of a request.")
        body = reader.timeout(
            "timeouts.body", upTo: 3_600, default: .seconds(30), "How long a client may take to send the body of a request.")
        idle = reader.timeout("timeouts.idle", upTo: 3_600, default: .seconds(75), "How long a connection may wait for its next request.")
        write = reader.timeout("timeouts.write", upTo: 3_600, default: .seconds(30), "How long a client may stop reading a response.")
        answer = reader.timeout(
            "timeouts.answer", upTo: 300, default: .milliseconds(2_500), "How long a request may wait for its answer.")
        curating = reader.timeout(
            "timeouts.curating", upTo: 300, default: .seconds(20), "How long a request of the admin API may wait for its answer.")
        linger = reader.timeout(
            "timeouts.linger", upTo: 60, default: .seconds(2), "How long a client whose request was refused may take to read why.")
        drain = reader.timeout(
            "timeouts.drain", upTo: 600, default: .seconds(10), "How long requests under way may take once the server is told to stop.")
    }
}

extension Settings.Limits {
    fileprivate init(from reader: inout SettingsReader) {
        connections = reader.count(
            "limits.connections", in: 1...1_000_000, default: 10_000, "The most connections that may be open at once.")
        connectionsPerAddress = reader.count(
            "limits.connectionsPerAddress", in: 1...1_000_000, default: 1_000,
            "The most open connections of one address or IPv6 /64 network; trusted proxies and this machine are exempt.")
        headerBytes = reader.count(
            "limits.headerBytes", in: 1_024...1_048_576, default: 16_384, "The most bytes that the headers of a request may have.")
        headerCount = reader.count("limits.headerCount", in: 8...1_000, default: 100, "The most headers that a request may have.")
        targetBytes = reader.count(
            "limits.targetBytes", in: 128...65_536, default: 8_192, "The most bytes that the target of a request may have.")
        bodyBytes = reader.count(
            "limits.bodyBytes", in: 1_024...67_108_864, default: 65_536, "The most bytes that the body of a request may have.")
        bufferedBodyBytes = reader.count(
            "limits.bufferedBodyBytes", in: 4_194_304...17_179_869_184, default: 67_108_864,
            "The most bytes of request bodies that each loop keeps in memory; a request above that gets 503.")
        if bufferedBodyBytes < bodyBytes {
            reader.refuse("expected limits.bufferedBodyBytes to be at least limits.bodyBytes, \(bodyBytes)")
        }
        requestsInFlight = reader.count(
            "limits.requestsInFlight", in: 1...100_000, default: 1_000, "The most requests that each loop works on at once.")
        openStreams = reader.count(
            "limits.openStreams", in: 1...1_000_000, default: 5_000, "The most answers that each loop streams at once.")
        unsentBytes = reader.count(
            "limits.unsentBytes", in: 16_384...67_108_864, default: 262_144,
            "With more bytes that a client has not taken nothing more is read from it.")
        streams = reader.count(
            "limits.streams", in: 1...10_000, default: 100, "The most requests at once on a connection of HTTP/2.")
        streamResets = reader.count(
            "limits.streamResets", in: 10...100_000, default: 200,
            "The most requests that a client of HTTP/2 may take back at once; a tenth is added a second.")
        controlFrames = reader.count(
            "limits.controlFrames", in: 10...100_000, default: 200,
            "The most answers to SETTINGS and PING that a client of HTTP/2 may leave unread.")
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
