package import Arguments
package import HTTPMessages
package import Postgres
package import Telemetry

/// How the server runs: one value, complete and valid.
package struct Settings: Sendable {
    /// Nil for a private PostgreSQL.
    package let databaseURL: DatabaseURL?
    package let postgres: Postgres
    /// Never empty.
    package let listen: [ListenAddress]
    package let operationsListen: OperationsListen
    /// Whether other processes may listen on the same ports.
    package let sharesPort: Bool
    /// Those who may say for whom they ask.
    package let trustedProxies: [TrustedProxy]
    /// Nil where connections are not encrypted.
    package let tls: TLS?
    package let log: Log
    /// The number of event loops; nil for one per core.
    package let eventLoops: Int?
    /// The number of database connections per event loop.
    package let poolSize: Int
    /// The maximum number of requests per event loop that wait for a database connection.
    package let poolMaxWaiting: Int
    /// Whether `serve` publishes changes, as `worker` does.
    package let runsSequencer: Bool
    /// The addresses of the operations endpoint of `worker`; empty if it has none.
    package let workerListen: [ListenAddress]
    package let sync: Sync
    package let timeouts: Timeouts
    package let limits: Limits

    package struct Postgres: Sendable {
        package let directory: String
        package let socketDirectory: String
        /// Nil for the newest installed version.
        package let binDirectory: String?
    }

    /// The paths of two PEM files.
    package struct TLS: Sendable {
        package let certificate: String
        package let key: String
    }

    package struct Sync: Sendable {
        /// The keys that verify cursors; the first one also signs them.
        package let keys: [SyncKey]
        /// How long tombstones are kept.
        package let retention: Duration
        /// The maximum number of clients that wait for changes.
        package let maxWaiting: Int
        /// The maximum number of them from one address or IPv6 /64 network.
        package let maxWaitingPerAddress: Int
        /// The daily time of the consistency check; nil for never.
        package let checkAt: TimeOfDay?
    }

    package struct Log: Sendable {
        /// Nil for text on a terminal and JSON elsewhere.
        package let format: LogFormat?
        package let level: Observation.Level
    }

    package struct Timeouts: Sendable {
        /// To the database.
        package let connect: Duration
        package let statement: Duration
        /// From a request's first byte to the end of its headers.
        package let headers: Duration
        package let body: Duration
        /// Between two requests of a connection.
        package let idle: Duration
        /// For a client that does not read what it is sent.
        package let write: Duration
        /// For the response to a request, its database statements included.
        package let request: Duration
        /// The same for a request of the admin API.
        package let adminRequest: Duration
        /// For a client whose request was refused to take the answer.
        package let linger: Duration
        /// For requests in progress when a shutdown starts.
        package let shutdown: Duration
    }

    package struct Limits: Sendable {
        package let connections: Int
        package let connectionsPerAddress: Int
        package let headerBytes: Int
        package let headerCount: Int
        package let targetBytes: Int
        package let bodyBytes: Int
        /// Of all bodies in memory, on each loop.
        package let bufferedBodyBytes: Int
        /// On each loop.
        package let requestsInFlight: Int
        /// On each loop.
        package let eventStreams: Int
        package let outputBufferBytes: Int
        /// Of one connection of HTTP/2.
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
    /// Every setting in the order of its declaration.
    package static let declarations: [SettingDeclaration] = {
        var reader = SettingsReader(.none, file: nil, issues: [])
        _ = Settings(from: &reader)
        return reader.declarations
    }()

    /// Reads the settings: a flag before a variable before the file before the default. Throws every mistake of every source at once.
    package static func load(from sources: SettingsSources) throws(SettingsError) -> (settings: Settings, effective: EffectiveSettings) {
        var issues: [SettingsIssue] = []
        let file = readFile(of: sources, reporting: &issues)
        var reader = SettingsReader(sources, file: file, issues: issues)
        let settings = Settings(from: &reader)
        reader.refuseUnknownVariables()
        guard reader.issues.isEmpty else { throw SettingsError(reader.issues) }
        return (settings, EffectiveSettings(entries: reader.effective))
    }

    /// Nil where there is none to read.
    private static func readFile(of sources: SettingsSources, reporting issues: inout [SettingsIssue]) -> SettingsFile? {
        var choice = SettingsReader(sources, file: nil, issues: [])
        let path = choice.value(configuration)
        // What is wrong with the choice itself is reported when all settings are read.
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
                SettingsIssue(isDefault ? nil : origin, "\(subject)expected a file that can be read\(found): \(error.reason)"))
            return nil
        }
    }
}

extension PostgresConfiguration {
    /// Connects to the URL within the timeouts of the settings.
    package init(_ url: DatabaseURL, _ settings: Settings) {
        self.init(url: url)
        connectTimeout = settings.timeouts.connect
        statementTimeout = settings.timeouts.statement
    }
}
