internal import Arguments
internal import EmbeddedPostgres
internal import Postgres
internal import Settings

extension LoadedSettings {
    /// The database that is set, or else the private one, which has to run.
    func databaseURL(_ console: Console) throws -> DatabaseURL {
        if let given = settings.databaseURL { return given }
        let (place, state) = try ClusterState.observe(cluster)
        if let hint = state.hint(console) {
            throw DatabaseFailure(message: "the private PostgreSQL does not run", advice: hint, exitCode: .unreachable)
        }
        return try DatabaseURL(parsing: place.url)
    }
}

extension ClusterState {
    /// Nil while the server takes connections.
    func hint(_ console: Console) -> String? {
        switch self {
        case .running(_, isReady: true): nil
        case .running: "It is starting; try again in a moment."
        case .absent, .stopped: "Start it: \(console.program) dev."
        }
    }
}
