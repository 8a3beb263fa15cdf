enum DatabaseState: Sendable, Equatable {
    /// The database has every migration of this program, and none that is incompatible with it.
    case current
    case away
    /// The schema is incompatible with this program; the reason, for an operator.
    case unsuitable(String)

    /// Returns the state to report after `previous`: an outage does not make an incompatible schema a compatible one.
    func following(_ previous: DatabaseState) -> DatabaseState {
        if case (.away, .unsuitable) = (self, previous) { previous } else { self }
    }
}

extension ReadinessCheck.State {
    private static let away = "the database does not respond"

    /// Creates the state of a server, which serves its pages from memory once they are read.
    init(_ database: DatabaseState, pagesAreRead: Bool) {
        self =
            switch (database, pagesAreRead) {
            case (.unsuitable(let reason), _): .notReady(reason)
            case (.current, true): .ready
            case (.away, true): .degraded(Self.away)
            case (.current, false): .notReady("the pages are not loaded yet")
            case (.away, false): .notReady(Self.away)
            }
    }

    /// Creates the state of a worker, which cannot work without its database.
    init(_ database: DatabaseState) {
        self =
            switch database {
            case .current: .ready
            case .away: .notReady(Self.away)
            case .unsuitable(let reason): .notReady(reason)
            }
    }
}
