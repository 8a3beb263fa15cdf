internal import Feeds
internal import JSON
internal import Postgres
internal import Values

extension PreviewComposer {
    /// What storefronts are shown now in the sections that are arranged there in the same words, by storefront. Nothing at another moment than now,
    /// and where this program cannot read what is shown.
    func shown(
        of document: FeedDocument, at moment: Timestamp?, in storefronts: [String]
    ) async throws -> [String: [SectionKey: ComposedSection]] {
        guard moment == nil else { return [:] }
        let feed = document.key.text
        let names = Array(repeating: feed, count: storefronts.count)
        let parts = try await PageReader.parts(
            session.run([PostgresQuery(PageQueries.parts, storefronts, names)])[0], of: storefronts.count)
        let shown = zip(storefronts, parts).compactMap { storefront, parts in
            let documents = Dictionary(
                parts.map { (PublishedEntry.Key($0.kind, $0.id), $0.document) }, uniquingKeysWith: { first, _ in first })
            return Self.read { () throws(JSONError) in try PublishedFeedState(reading: documents) }.map {
                (storefront: storefront, feed: $0)
            }
        }
        let revisions = Set(shown.compactMap { $0.feed.revision }).sorted()
        let texts = try await session.rows(
            of: PostgresQuery(
                SequencerQueries.revisionDocuments, revisions.map { _ in feed }, revisions.map { Int32(clamping: $0) }), as: String.self,
            Int32.self, String.self)
        var arranged: [Int: FeedDocument] = [:]
        for (_, number, text) in texts {
            arranged[Int(number)] = Self.read { () throws(JSONError) in try FeedDocument(parsing: Array(text.utf8), limits: .feed) }
        }
        var sections: [String: [SectionKey: ComposedSection]] = [:]
        for (storefront, feed) in shown {
            let former = feed.revision.flatMap { arranged[$0] }
            let same = document.sections.filter { former?.sections.contains($0) ?? false }.map(\.key)
            sections[storefront] = feed.sections.filter { same.contains($0.key) }
        }
        return sections
    }

    private static func read<Value>(_ body: () throws(JSONError) -> Value) -> Value? {
        do throws(JSONError) { return try body() } catch { return nil }
    }
}
