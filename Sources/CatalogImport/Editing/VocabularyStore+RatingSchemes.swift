internal import JSON
internal import Postgres

extension VocabularyStore {
    /// Returns all rating schemes in the order of their keys.
    package func ratingSchemes() async throws -> [RatingSchemeRecord] { try await ratingSchemes(nil) }

    /// Returns the rating scheme, or nil if it does not exist. A lock excludes new uses of its labels as well.
    package func ratingScheme(_ key: String, lock: Lock? = nil) async throws -> RatingSchemeRecord? {
        try await hold(key, lock, VocabularyQueries.ofRatingSchemes)
        if lock != nil { try await session.run(PostgresQuery(VocabularyQueries.holdRatingLabels, key)) }
        return try await ratingSchemes(key).first
    }

    private func ratingSchemes(_ key: String?) async throws -> [RatingSchemeRecord] {
        let query = PostgresQuery(VocabularyQueries.ratingSchemes, key)
        return try await session.rows(of: query, as: String.self, [String].self, [Int].self).map { key, labels, ages in
            RatingSchemeRecord(key: key, labels: zip(labels, ages).map { .init(label: $0, minimumAge: $1) })
        }
    }

    /// Writes a rating scheme whose labels are locked. Labels of items cannot be removed.
    func write(_ record: RatingSchemeRecord) async throws -> Change {
        let stored = try await ratingSchemes(record.key).first
        let ages = Dictionary(uniqueKeysWithValues: (stored?.labels ?? []).map { ($0.label, $0.minimumAge) })
        let removed = ages.keys.filter { label in !record.labels.contains { $0.label == label } }
        let issues = try await issues(ofRemoving: removed, from: record.key)
        guard issues.isEmpty else { return Change(issues) }
        if stored == nil { try await session.run(PostgresQuery(VocabularyQueries.addRatingScheme, record.key)) }
        if !removed.isEmpty { try await session.run(PostgresQuery(VocabularyQueries.removeRatingLabels, record.key, removed)) }
        for (labels, query) in [
            (
                record.labels.filter { label in ages[label.label].map { $0 != label.minimumAge } ?? false },
                VocabularyQueries.changeRatingLabels
            ),
            (record.labels.filter { ages[$0.label] == nil }, VocabularyQueries.addRatingLabels),
        ] where !labels.isEmpty {
            try await session.run(PostgresQuery(query, record.key, labels.map(\.label), labels.map(\.minimumAge)))
        }
        return stored == nil ? .created : record == stored ? .unchanged : .changed
    }

    private func issues(ofRemoving labels: [String], from scheme: String) async throws -> [Vocabulary.Issue] {
        guard !labels.isEmpty else { return [] }
        let query = PostgresQuery(VocabularyQueries.usesOfRatingLabels, scheme, labels)
        return try await session.rows(of: query, as: String.self, Int.self, Int.self)
            .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
            .map { label, items, withdrawn in
                let count = ItemCount(all: items, withdrawn: withdrawn)
                return Vocabulary.Issue(
                    pointer: JSONPointer(tokens: ["labels"]), code: .constraintViolation,
                    reason: "the label \(label) is missing, which is the label of \(count)")
            }
    }

    /// The uses of a rating scheme that prevent its deletion.
    package struct RatingSchemeUses: Sendable, Equatable {
        /// The items that have a label of the scheme.
        package let items: ItemCount
        /// The storefronts that show its labels.
        package let storefronts: [String]
    }

    package func uses(ofRatingScheme key: String) async throws -> RatingSchemeUses? {
        let query = PostgresQuery(VocabularyQueries.usesOfRatingScheme, key)
        return try await session.rows(of: query, as: Int.self, Int.self, [String].self).first.map {
            RatingSchemeUses(items: ItemCount(all: $0, withdrawn: $1), storefronts: $2)
        }
    }
}
