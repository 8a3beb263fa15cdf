package enum MigrationProgress: Sendable, Equatable, CustomStringConvertible {
    /// The position of a migration in the run, from 1.
    package struct Position: Sendable, Equatable {
        package let number: Int
        package let count: Int

        package init(_ number: Int, of count: Int) {
            self.number = number
            self.count = count
        }
    }

    case waitingForAnother
    case applying(MigrationID, Position)
    case applied(MigrationID, Position, took: Duration)
    /// The migration was rolled back.
    case failed(MigrationID, Position)
    /// The migration was rolled back because the run was canceled.
    case interrupted(MigrationID, Position)
    /// The number of migrations that were run, and the latest migration of the database.
    case finished(Int, latest: MigrationID?)

    package var description: String {
        switch self {
        case .waitingForAnother: "waiting for another program that is migrating this database"
        case .applying(let id, let position): "\(position.text) \(id) …"
        case .applied(let id, let position, let took): "\(position.text) \(id)  \(took.rounded)"
        case .failed(let id, let position): "\(position.text) \(id) failed and was rolled back"
        case .interrupted(let id, let position): "\(position.text) \(id) was interrupted and rolled back"
        case .finished(0, let latest): "no pending migrations; the schema is at \(latest?.description ?? "its beginning")"
        case .finished(let count, let latest):
            "\(count) \(count == 1 ? "migration" : "migrations") applied; the schema is at \(latest?.description ?? "its beginning")"
        }
    }
}

extension MigrationProgress.Position {
    fileprivate var text: String {
        let width = String(count).count - String(number).count
        return "[\(String(repeating: " ", count: max(0, width)))\(number)/\(count)]"
    }
}

extension Duration {
    /// The duration for people: `740 µs`, `12 ms`, `3.4 s`, `2 min 5 s`.
    package var rounded: String {
        let microseconds = max(Int64(clamping: Int128(self / .microseconds(1))), 0)
        return switch microseconds {
        case ..<1_000: "\(microseconds) µs"
        case ..<1_000_000: "\(microseconds / 1_000) ms"
        case ..<60_000_000: "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
        default: "\(microseconds / 60_000_000) min \(microseconds / 1_000_000 % 60) s"
        }
    }
}
