internal import Catalog
internal import JSON
internal import Postgres
internal import Time

extension FeedRehearsal {
    /// What a storefront is shown now in the sections that are arranged there in the same words. Nothing at another moment than now, and where this
    /// program cannot read what is shown.
    func shown(of document: FeedDocument, at moment: Timestamp?, in storefront: String) async throws -> [SectionKey: ComposedSection] {
        guard moment == nil else { return [:] }
        let feed = document.key.text
        let parts = try await PageReader.parts(run([PostgresQuery(pages.parts, [storefront], [feed])])[0], of: 1)[0]
        let documents = Dictionary(parts.map { (PublishedEntry.Key($0.kind, $0.id), $0.document) }, uniquingKeysWith: { first, _ in first })
        guard let shown = Self.read({ () throws(JSONError) in try ShownFeed(reading: documents) }), let revision = shown.revision else {
            return [:]
        }
        let texts = try await run([PostgresQuery(sequencer.revisionDocuments, [feed], [Int32(clamping: revision)])])[0].rows(
            as: String.self, Int32.self, String.self)
        let arranged = texts.first.flatMap { text in
            Self.read { () throws(JSONError) in try FeedDocument(parsing: Array(text.2.utf8), limits: .feed) }
        }
        let same = document.sections.filter { arranged?.sections.contains($0) ?? false }.map(\.key)
        return shown.sections.filter { same.contains($0.key) }
    }

    private static func read<Value>(_ body: () throws(JSONError) -> Value) -> Value? {
        do throws(JSONError) { return try body() } catch { return nil }
    }
}
