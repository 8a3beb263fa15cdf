internal import Postgres

extension VocabularyStore {
    /// Returns all platforms in the order of their keys.
    package func platforms() async throws -> [PlatformRecord] { try await platforms(nil) }

    /// Returns the platform, or nil if it does not exist.
    package func platform(_ key: String, lock: Lock? = nil) async throws -> PlatformRecord? {
        try await hold(key, lock, VocabularyQueries.ofPlatforms)
        return try await platforms(key).first
    }

    private func platforms(_ key: String?) async throws -> [PlatformRecord] {
        let query = PostgresQuery(VocabularyQueries.platforms, key)
        return try await session.rows(of: query, as: String.self, [String].self, Bool.self).map {
            PlatformRecord(key: $0, runs: $1, isServed: $2)
        }
    }

    /// Writes a platform. Only a change of the platforms that it runs changes facts of items.
    func write(_ record: PlatformRecord) async throws -> Change {
        let platforms = try await platforms()
        let issues = record.issues(among: platforms)
        guard issues.isEmpty else { return Change(issues) }
        guard let stored = platforms.first(where: { $0.key == record.key }) else {
            try await session.run(PostgresQuery(VocabularyQueries.addPlatform, record.key, record.runs, record.isServed))
            return .created
        }
        if record.runs != stored.runs { try await session.run(PostgresQuery(VocabularyQueries.setRuns, record.key, record.runs)) }
        if record.isServed != stored.isServed {
            try await session.run(PostgresQuery(VocabularyQueries.setServed, record.key, record.isServed))
        }
        return record == stored ? .unchanged : .changed
    }

    /// The uses of a platform that prevent its deletion.
    package struct PlatformUses: Sendable, Equatable {
        /// The items that are made for the platform.
        package let items: ItemCount
        /// The other platforms that run it.
        package let platforms: [String]
        /// The feeds whose live or scheduled revisions name it.
        package let feeds: [String]
    }

    package func uses(ofPlatform key: String) async throws -> PlatformUses? {
        let query = PostgresQuery(VocabularyQueries.usesOfPlatform, key)
        return try await session.rows(of: query, as: Int.self, Int.self, [String].self, [String].self).first.map {
            PlatformUses(items: ItemCount(all: $0, withdrawn: $1), platforms: $2, feeds: $3)
        }
    }
}
