package import JSON
package import Layout

/// What a curator says about one feed, complete: a revision is one of these.
///
/// Only reading makes one, so whoever holds one holds a document in which nothing contradicts: see `FeedDocument.init(parsing:)`. Whether
/// the items, categories and charts that it names are there is for the catalog to say.
package struct FeedDocument: Sendable, Hashable {
    package static let mostSections = 100

    package let key: FeedKey
    package let title: LocalizedText
    package let configuration: PageConfiguration
    /// In the order of the page; no key is there twice.
    package let sections: [FeedSection]

    /// Those that are for somebody there.
    package func sections(in storefront: String) -> [FeedSection] { sections.filter { $0.target?.isFor(storefront) ?? true } }
}

extension JSONLimits {
    /// What the database keeps of one document.
    package static let feed = JSONLimits(bytes: 1 << 20)
}
