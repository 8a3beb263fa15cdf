package import Arguments
package import HTTPMessages
package import Postgres
package import Telemetry

/// The complete and valid configuration of a process.
package struct Settings: Sendable {
    /// The database URL; nil if the process uses the embedded PostgreSQL.
    package let databaseURL: DatabaseURL?
    package let postgres: Postgres
    /// The addresses for clients; never empty.
    package let listen: [ListenAddress]
    package let operationsListen: OperationsListen
    /// Whether other processes may listen on the same ports.
    package let sharesPort: Bool
    /// The proxies that may forward the address of their client.
    package let trustedProxies: [TrustedProxy]
    /// The certificate and its key; nil if connections are not encrypted.
    package let tls: TLS?
    package let log: Log
    /// The number of event loops; nil if there is one per core.
    package let eventLoops: Int?
    /// The number of database connections of each loop.
    package let poolSize: Int
    /// The number of requests of each loop that may wait for a connection.
    package let poolMaxWaiting: Int
    /// Whether `serve` leaves the work of `worker` to other processes.
    package let runsSequencer: Bool
    /// The addresses of the monitoring server of `worker`; empty if it is turned off.
    package let workerListen: [ListenAddress]
    /// The schemes of the URLs that the actions of feeds can open.
    package let actionSchemes: [String]
    package let sync: Sync
    package let timeouts: Timeouts
    package let limits: Limits

    package struct Postgres: Sendable {
        package let directory: String
        package let socketDirectory: String
        /// The directory of the PostgreSQL programs; nil if the newest installed version is used.
        package let binDirectory: String?
    }

    /// The paths of two PEM files.
    package struct TLS: Sendable {
        package let certificate: String
        package let key: String
    }

    package struct Sync: Sendable {
        /// The keys of cursors. The first one signs, and all of them verify.
        package let keys: [SyncKey]
        /// The number of days for which tombstones are kept.
        package let retention: Duration
        /// The number of clients that may wait for the next change.
        package let maxWaiting: Int
        /// The number of clients that may wait per address.
        package let maxWaitingPerAddress: Int
        /// The time of the nightly consistency check; nil if it is turned off.
        package let checkAt: TimeOfDay?
    }

    package struct Log: Sendable {
        /// The log format; nil if it depends on the output: human-readable on a terminal, JSON elsewhere.
        package let format: LogFormat?
        package let level: Observation.Level
    }

    package struct Timeouts: Sendable {
        /// The timeout of connecting to the database.
        package let connect: Duration
        package let statement: Duration
        /// The timeout from a request's first byte to the end of its headers.
        package let headers: Duration
        package let body: Duration
        /// The timeout between two requests of a connection.
        package let idle: Duration
        /// The timeout of a client that does not read its response.
        package let write: Duration
        /// The timeout of responding to a request, including the database.
        package let request: Duration
        package let adminRequest: Duration
        /// The timeout of a client with a rejected request for reading the response.
        package let linger: Duration
        /// The timeout of active requests during a shutdown.
        package let shutdown: Duration
    }

    package struct Limits: Sendable {
        package let connections: Int
        package let connectionsPerAddress: Int
        package let headerBytes: Int
        package let headerCount: Int
        package let targetBytes: Int
        package let bodyBytes: Int
        /// The limit for all bodies in memory, on each loop.
        package let bufferedBodyBytes: Int
        /// The number of active requests on each loop.
        package let requestsInFlight: Int
        /// The number of open streams on each loop.
        package let eventStreams: Int
        package let outputBufferBytes: Int
        /// The number of streams of one HTTP/2 connection.
        package let http2Streams: Int
        package let http2Resets: Int
        package let http2ControlFrames: Int
    }
}

extension Settings {
    /// The settings as options, for the commands that read them.
    package static var flagGroup: OptionGroup {
        OptionGroup("Settings", declarations.map(\.option))
    }
}

extension Settings {
    /// The declarations of all settings, in order.
    package static let declarations: [SettingDeclaration] = {
        var reader = SettingsReader(.none, file: nil, issues: [])
        _ = Settings(from: &reader)
        return reader.declarations
    }()

    /// Reads the settings. A flag overrides a variable, which overrides the file, which overrides the default. Throws
    /// the issues of all sources together.
    package static func load(from sources: SettingsSources) throws(SettingsError) -> (settings: Settings, effective: EffectiveSettings) {
        var issues: [SettingsIssue] = []
        let file = readFile(of: sources, reporting: &issues)
        var reader = SettingsReader(sources, file: file, issues: issues)
        let settings = Settings(from: &reader)
        reader.refuseUnknownVariables()
        guard reader.issues.isEmpty else { throw SettingsError(reader.issues) }
        return (settings, EffectiveSettings(entries: reader.effective))
    }

    /// Returns nil if there is no file to read.
    private static func readFile(of sources: SettingsSources, reporting issues: inout [SettingsIssue]) -> SettingsFile? {
        var choice = SettingsReader(sources, file: nil, issues: [])
        let path = choice.value(configuration)
        // An issue of the file's own setting is reported when all settings are read.
        guard choice.issues.isEmpty else { return nil }
        let origin = choice.effective.first?.origin ?? .default
        do throws(FileFailure) {
            return SettingsFile(try sources.readFile(path), path: path, declarations: declarations)
        } catch {
            let isDefault = origin == .default
            if isDefault, error.isMissing { return nil }
            let subject = isDefault ? "\(path): " : ""
            let found = isDefault ? "" : ", found \(path.quoted)"
            issues.append(
                SettingsIssue(isDefault ? nil : origin, "\(subject)expected a readable file\(found): \(error.reason)"))
            return nil
        }
    }
}

extension PostgresConfiguration {
    /// Creates a configuration for the URL with the timeouts of the settings.
    package init(_ url: DatabaseURL, _ settings: Settings) {
        self.init(url: url)
        connectTimeout = settings.timeouts.connect
        statementTimeout = settings.timeouts.statement
    }
}
