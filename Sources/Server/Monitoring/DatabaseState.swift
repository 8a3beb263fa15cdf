enum DatabaseState: Sendable, Equatable {
    /// It has every migration of this program, and none that this program must not work with.
    case current
    case away
    /// Its schema is not one for this program; the reason, for an operator.
    case unsuitable(String)

    /// Returns the state to report after `previous`: an outage does not make an unsuitable schema a suitable one.
    func following(_ previous: DatabaseState) -> DatabaseState {
        if case (.away, .unsuitable) = (self, previous) { previous } else { self }
    }
}

extension ReadinessCheck.State {
    private static let away = "the database does not answer"

    /// The state of a server, which serves its pages from memory once they are read.
    init(_ database: DatabaseState, pagesAreRead: Bool) {
        self =
            switch (database, pagesAreRead) {
            case (.unsuitable(let reason), _): .notReady(reason)
            case (.current, true): .ready
            case (.away, true): .degraded(Self.away)
            case (.current, false): .notReady("the pages are not read yet")
            case (.away, false): .notReady(Self.away)
            }
    }

    /// The state of a worker, which does nothing without its database.
    init(_ database: DatabaseState) {
        self =
            switch database {
            case .current: .ready
            case .away: .notReady(Self.away)
            case .unsuitable(let reason): .notReady(reason)
            }
    }
}
