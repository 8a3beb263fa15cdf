internal import JSON

package struct ExistingFeed: Sendable {
    package struct Saved: Sendable {
        package let number: Int
        /// The document in canonical form.
        package let bytes: [UInt8]

        package init(number: Int, bytes: [UInt8]) {
            self.number = number
            self.bytes = bytes
        }

        /// The document, or nil if a newer release has saved it.
        package var document: FeedDocument? {
            do throws(JSONError) { return try FeedDocument(parsing: bytes, limits: .feed) } catch { return nil }
        }
    }

    package let isArchived: Bool
    /// The newest revision of each requested line.
    package let drafts: [LineKey: Saved]
    /// The revision of the base that is live now in each storefront. It is also set if a takeover has precedence or the
    /// feed is archived.
    package let bases: [String: Saved]
    /// The takeover that has precedence now in each storefront, even if the feed is archived.
    package let takeovers: [String: Saved]
    /// The takeovers as published, sorted by ID.
    package let publications: [Publication]
    /// The base in each storefront that has one from an order for listed storefronts.
    package let localBases: [String: Publication]

    package init(
        isArchived: Bool, drafts: [LineKey: Saved], bases: [String: Saved], takeovers: [String: Saved] = [:],
        publications: [Publication] = [], localBases: [String: Publication] = [:]
    ) {
        self.isArchived = isArchived
        self.drafts = drafts
        self.bases = bases
        self.takeovers = takeovers
        self.publications = publications
        self.localBases = localBases
    }

    /// Returns the revision that clients see now, or would see if the feed were not archived.
    package func live(in storefront: String) -> Saved? { takeovers[storefront] ?? bases[storefront] }

    /// The base of most storefronts, of the greatest number if several are in as many, or nil if the feed has no base.
    package var base: Saved? {
        let groups = Dictionary(grouping: bases.values, by: \.number)
        return groups.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.value.first
    }
}
