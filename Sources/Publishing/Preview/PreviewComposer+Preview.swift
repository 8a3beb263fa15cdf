package import Feeds
internal import Items
internal import JSON
internal import Layout
internal import Postgres
package import Values

extension PreviewComposer {
    /// The page of a revision as it would be at a moment, or now, for a context. A section whose rule finds too little keeps what it shows
    /// now, or is left out at a later moment: what it shows before that is nobody's to know in advance. Nil where there is no such
    /// storefront.
    package func page(
        of document: FeedDocument, revision: Int, at moment: Timestamp? = nil, for context: PageContext
    ) async throws -> [UInt8]? {
        try await pages(of: document, revision: revision, at: moment, for: [context])[context.storefront.key]
    }

    /// As `page`, of several storefronts in as few questions as of one. By storefront, without those that there are not.
    package func pages(
        of document: FeedDocument, revision: Int, at moment: Timestamp? = nil, for contexts: [PageContext]
    ) async throws -> [String: [UInt8]] {
        let keys = contexts.map(\.storefront.key)
        let stage = try await stage(document, at: moment, in: keys, keeping: try await shown(of: document, at: moment, in: keys))
        let composer = FeedComposer(document, revision: revision, hashedBy: hash)
        let entries = stage.sections.mapValues { composer.entries($0, keeping: [:]) }
        let ids = Set(entries.values.joined().compactMap(\.item)).sorted()
        let documents = try await session.rows(of: PostgresQuery(FeedQueries.itemDocuments, ids), as: JSONBytes.self)
        let items = try documents.map { try Item(version: 0, document: $0.bytes) }
        let known = Dictionary(items.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var pages: [String: [UInt8]] = [:]
        for context in contexts {
            if let entries = entries[context.storefront.key] {
                pages[context.storefront.key] = try page(of: entries, for: context, known)
            }
        }
        return pages
    }

    private func page(of entries: [PublishedEntry], for context: PageContext, _ items: [UUID: Item]) throws -> [UInt8]? {
        var layouts: [LayoutID: PublishedLayout] = [:]
        for entry in entries where entry.key.kind == .layout {
            guard let id = LayoutID(entry.key.id) else { continue }
            let document = try JSONDocument(parsing: entry.document, limits: .ownOutput)
            layouts[id] = try document.decodeLeniently(PublishedLayout.self).value
        }
        let parts = entries.map { entry in
            FeedSnapshot.Part(kind: entry.key.kind, id: entry.key.id, version: 0, document: entry.document, validUntil: nil)
        }
        guard let edition = try FeedSnapshot(context.storefront.key, parts: parts, items: items, newest: 0) else { return nil }
        // There is nothing behind a page that is not published.
        return try PageRenderer(edition, LayoutTable(layouts), context, placeholder: placeholder, link: { section, _ in section.id }).page()
    }
}
