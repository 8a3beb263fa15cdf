package import JSON
package import Layout

/// What a curator says about one feed, complete: a revision is one of these.
///
/// Only reading makes one, so whoever holds one holds a document in which nothing contradicts: see `FeedDocument.init(parsing:)`. Whether
/// the items, categories and charts that it names are there is for the catalog to say.
package struct FeedDocument: Sendable, Hashable {
    package static let maxSections = 100

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

extension FeedDocument: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let key = object.required("feed", as: FeedKey.self)
        let title = object.required("title", as: LocalizedText.self)
        let configuration = object.value("configuration", default: PageConfiguration())
        let sections = object.required("sections") { list throws(JSONReadError) in
            try Self.sections(list, in: key.value)
        }
        try object.finish()
        guard let sections else { throw object.refuse(.missingKey, at: "sections", "the sections are not complete") }
        self.key = try key()
        self.title = try title()
        self.configuration = configuration
        self.sections = sections
    }

    private static func sections(_ json: JSONReader, in feed: FeedKey?) throws(JSONReadError) -> [FeedSection] {
        if json.node.count > maxSections {
            _ = json.refuse(.invalidCount, "expected at most \(maxSections) sections, found \(json.node.count)")
        }
        var above: Set<SectionKey> = []
        return try json.list { section throws(JSONReadError) in try FeedSection(section, in: feed, below: &above) }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", key)
        json.member("title", title)
        json.member("configuration", configuration, unless: PageConfiguration())
        json.member("sections", each: sections) { json, section in section.encode(to: &json, in: key) }
    }

    /// The one text of all documents that say the same, whatever their spaces, the order of their keys and the defaults that they write out;
    /// what revisions are stored and hashed as.
    package func canonical() -> [UInt8] {
        do throws(JSONError) {
            return try canonicalJSON()
        } catch {
            preconditionFailure("every number of a document is finite and every key is written once: \(error)")
        }
    }
}
