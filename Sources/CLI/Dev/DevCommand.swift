internal import Access
internal import Arguments
internal import EmbeddedPostgres
internal import EventLoop
import Host
internal import JSON
internal import Postgres
internal import Security
internal import Server
internal import Settings

/// `vitrine dev`: all parts of Vitrine without configuration, until it is stopped.
struct DevCommand {
    let console: Console
    let version: String

    var command: Command {
        Command(
            "dev", "Start a development server with its own PostgreSQL",
            discussion: """
                Without a database URL, the command starts an embedded PostgreSQL in .vitrine/postgres, which listens only on a socket in \
                that folder. The command applies the pending migrations, loads the sample catalog into an empty embedded database, and \
                then serves requests like vitrine serve. Ctrl-C stops everything that the command started. A second Ctrl-C does not wait \
                for open queries.
                """,
            examples: [
                Example("vitrine dev", "Start with an embedded PostgreSQL."),
                Example("vitrine dev --postgres-directory /tmp/shop", "Store the data in another folder."),
                Example("VITRINE_DATABASE_URL=postgresql://db/shop vitrine dev", "Use an existing database."),
            ],
            groups: [Settings.flagGroup]
        ) { invocation in
            // The signals are held before the first thread that could receive them instead.
            Signal.hold(Signal.stopping + [.child])
            Signal.ignoreBrokenPipes()
            let loaded = try LoadedSettings(invocation, console: console)
            let log = try DevLog(loaded.settings.log, console: console)
            defer { log.output.close() }
            guard let url = loaded.settings.databaseURL else { return try runPrivately(loaded, log) }
            let schema = try migrate(url, loaded.settings, log)
            let server = try serve(url, loaded.settings, log)
            log.recordReady(databaseURL: url.redacted, addresses: server.addresses)
            log.show(
                DevBanner(
                    program: console.program, version: version, database: .given(url.redacted), schema: schema, addresses: server.addresses)
            )
            waitForTheEnd(log) { nil }
            stop(server)
            log.recordEnd()
            return .ok
        }
    }

    private func runPrivately(_ loaded: LoadedSettings, _ log: DevLog) throws -> ExitCode {
        let start = ContinuousClock.now
        var cluster = try PrivateCluster.start(loaded.cluster, progress: log.record, pause: Self.pause)
        let took = ContinuousClock.now - start
        log.recordReady(cluster.version, cluster.origin, cluster.paths, took)
        let schema: MigrationID?
        let server: ServerRuntime
        let profile = DevProfile(in: loaded.settings.postgres.directory)
        do {
            let url = try DatabaseURL(parsing: cluster.paths.url)
            schema = try migrate(url, loaded.settings, log)
            try loadSample(url, loaded.settings, log)
            try writeDevProfile(url, loaded.settings, profile)
            server = try serve(url, loaded.settings, log)
            try profile.write(of: server)
        } catch {
            if let failure = cluster.failure() { throw failure }
            try stop(cluster, log)
            throw error
        }
        log.recordReady(databaseURL: cluster.paths.url, addresses: server.addresses)
        log.show(
            DevBanner(
                program: console.program, version: version,
                database: .privately(cluster.version, cluster.origin, directory: loaded.cluster.directory, took: took), schema: schema,
                addresses: server.addresses))
        let failure = waitForTheEnd(log) { cluster.failure() }
        try profile.remove()
        stop(server)
        if let failure { throw failure }
        try stop(cluster, log)
        return .ok
    }

    private func serve(_ url: DatabaseURL, _ settings: Settings, _ log: DevLog) throws -> ServerRuntime {
        var keys = settings.sync.keys
        if keys.isEmpty {
            // With an external database, the keys are not stored.
            keys = settings.databaseURL == nil ? try SyncKeys.kept(in: settings.postgres.directory) : [SyncKeys.passing()]
        }
        return try ServerRuntime(settings, url, keys: keys, environment: console.environment, ServeLog(log.output))
    }

    /// Stops the server quickly, because a developer does not want to wait for active requests.
    private func stop(_ server: ServerRuntime) { _ = server.stop(within: .milliseconds(500)) }

    private func stop(_ cluster: consuming PrivateCluster, _ log: DevLog) throws(ClusterError) {
        log.record(.stopping)
        try cluster.stop(pause: Self.pause)
        log.recordStopped()
    }

    /// Returns the schema of the database after the migration.
    private func migrate(_ url: DatabaseURL, _ settings: Settings, _ log: DevLog) throws -> MigrationID? {
        let runner = try MigrationRunner.product()
        var session = DatabaseSession(url, settings, as: "vitrine dev")
        session.interrupts = Signal.stopping
        let report = try session.run { connection in try await runner.migrate(connection, recordingTo: { log.record($0) }) }
        for finding in report.findings { log.record(finding) }
        return runner.newest
    }

    private func loadSample(_ url: DatabaseURL, _ settings: Settings, _ log: DevLog) throws {
        var session = DatabaseSession(url, settings, as: "vitrine dev")
        session.interrupts = Signal.stopping
        if let counts = try session.run({ connection in try await SampleCatalog.load(connection) }) { log.recordSample(counts) }
        let feeds = try session.run { connection in try await SampleFeeds.load(connection) }
        if feeds > 0 { log.recordFeeds(feeds) }
    }

    /// Writes the profile with its token next to the embedded PostgreSQL, where commands of the same folder find it.
    private func writeDevProfile(_ url: DatabaseURL, _ settings: Settings, _ profile: DevProfile) throws {
        var session = DatabaseSession(url, settings, as: "vitrine dev")
        session.interrupts = Signal.stopping
        // Removes the profile of a process that was killed.
        try profile.remove()
        let stored = try profile.token()
        let token = try session.run { connection in try await DevToken.token(stored, connection) }
        if token.secret != stored?.secret { try profile.keep(token) }
    }

    /// Returns when a user stops the command, or with the reason if something else ended it.
    @discardableResult
    private func waitForTheEnd(_ log: DevLog, _ failure: () -> ClusterError?) -> ClusterError? {
        while true {
            log.output.writeSummaries()
            if let signal = Signal.next(of: Signal.stopping + [.child], within: .seconds(1)), signal != .child { return nil }
            if let failure = failure() { return failure }
        }
    }

    /// Waits for the duration. A child's end shortens the wait, a stop signal ends it.
    private static func pause(_ duration: Duration) throws(ClusterError) {
        if let signal = Signal.next(of: Signal.stopping + [.child], within: duration), signal != .child {
            throw ClusterError(.interrupted, "interrupted", advice: "")
        }
    }
}

/// The token of a developer's server, which has every permission.
enum DevToken {
    /// Returns the stored token if it is still valid. Otherwise creates a token that replaces the previous ones.
    static func token(_ stored: AccessToken?, _ connection: PostgresConnection) async throws -> AccessToken {
        try await connection.transaction(until: .never) { connection in
            let session = PostgresSession(inTransactionOf: connection)
            let tokens = TokenStore(hashedBy: Digest.sha256, session)
            if let stored, let curator = try await tokens.curator(with: stored, comparedBy: { HMACKey.areEqual($0, $1) }),
                curator.scope == .admin
            {
                return stored
            }
            let audit = AuditStore(session)
            let name = ProfileName.dev.description
            for old in try await tokens.tokens(called: name) where old.name == name {
                guard let record = try await tokens.revoke(old.id) else { continue }
                try await audit.record(
                    AuditedChange(.revokeToken, of: "tokens/\(old.id)", from: try old.json(), to: try record.json()), by: nil, request: nil)
            }
            let token = AccessToken.new()
            let record = try await tokens.create(token, name: name, scope: .admin)
            try await audit.record(
                AuditedChange(.createToken, of: "tokens/\(record.id)", from: nil, to: try record.json()), by: nil, request: nil)
            return token
        }
    }
}
