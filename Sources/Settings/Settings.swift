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
    /// How many event loops run; nil for one a core.
    package let loops: Int?
    /// Database connections of each loop.
    package let poolSize: Int
    /// Requests of each loop that may wait for one of them.
    package let poolWaiters: Int
    /// Whether `serve` leaves to others what `worker` does.
    package let withoutSequencer: Bool
    /// Where `worker` answers those who watch it; empty for nowhere.
    package let workerListen: [ListenAddress]
    package let sync: Sync
    package let timeouts: Timeouts
    package let limits: Limits

    package struct Postgres: Sendable {
        package let directory: String
        package let socketDirectory: String
        /// Nil for the newest that is found.
        package let binaries: String?
    }

    /// The paths of two PEM files.
    package struct TLS: Sendable {
        package let certificate: String
        package let key: String
    }

    package struct Sync: Sendable {
        /// The first seals cursors, all of them open them.
        package let keys: [SyncKey]
        /// For how many days it is told what has gone.
        package let retention: Int
        /// How many clients may wait for what comes next.
        package let waiters: Int
        /// How many of them may be of one client.
        package let waitersPerAddress: Int
        /// When each night what is published is compared with what should be; nil for never.
        package let auditAt: TimeOfDay?
    }

    package struct Log: Sendable {
        /// Nil for human on a terminal and JSON elsewhere.
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
        /// For the answer to a request, the database's part included.
        package let answer: Duration
        package let curating: Duration
        /// For a client whose request was refused to take the answer.
        package let linger: Duration
        /// For requests under way when the server is told to stop.
        package let drain: Duration
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
        package let openStreams: Int
        package let unsentBytes: Int
        /// Of one connection of HTTP/2.
        package let streams: Int
        package let streamResets: Int
        package let controlFrames: Int
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
