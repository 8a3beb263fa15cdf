internal import Items
internal import JSON
internal import Postgres

extension Drain {
    /// Returns the published storefronts, or only one of them.
    func publishedStorefronts(_ key: String? = nil) async throws -> [String: (version: Int, storefront: Storefront?)] {
        let rows = try await session.rows(
            of: PostgresQuery(SequencerQueries.publishedStorefronts, key), as: String.self, Int.self, JSONBytes.self)
        var published: [String: (version: Int, storefront: Storefront?)] = [:]
        for (key, version, document) in rows {
            do throws(JSONError) {
                published[key] = (version, try PublishedStorefront(version: version, document: document.bytes).storefront)
            } catch {
                published[key] = (version, nil)
            }
        }
        return published
    }

    /// Publishes the storefronts that have changed. If clients now receive published documents in another form, the storefront
    /// gets a version, so that they load their copies again.
    ///
    /// A new storefront also gets one. With that of the head, a cursor of a storefront that a restore removed would be valid for
    /// another one that is added again under its key. Before the first version there is nothing to load.
    mutating func publishStorefronts() async throws {
        let isFirst = state.head == 0
        var changed: [(key: String, version: Int)] = []
        for day in state.storefronts {
            let storefront = day.storefront
            let published = state.publishedStorefronts[storefront.key]
            if let published, published.storefront == storefront { continue }
            var version = published?.version ?? 0
            if published == nil ? !isFirst : published?.storefront?.renders(like: storefront) != true {
                state.head += 1
                version = state.head
            }
            changed.append((storefront.key, version))
            state.publishedStorefronts[storefront.key] = (version, storefront)
        }
        guard !changed.isEmpty else { return }
        try await session.run(PostgresQuery(SequencerQueries.publishStorefronts, changed.map(\.key), changed.map(\.version)))
    }
}
