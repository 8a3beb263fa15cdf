package import JSON
package import Layout
internal import Resolve

/// The document of one feed, of which each revision has one.
///
/// A document is only created by reading, so it is always consistent. See `FeedDocument.init(parsing:)`. It does not
/// check whether the catalog has the items, categories and charts that it names.
package struct FeedDocument: Sendable, Hashable {
    package static let maxSections = 100

    package let key: FeedKey
    package let title: LocalizedText
    package let configuration: PageConfiguration
    /// The sections in the order of the page. Their keys are distinct.
    package let sections: [FeedSection]

    /// Returns the sections whose target includes clients of the storefront.
    package func sections(in storefront: String) -> [FeedSection] { sections.filter { $0.target?.isFor(storefront) ?? true } }
}

extension JSONLimits {
    /// The limit that the database has for one document.
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
        guard let sections else { throw object.refuse(.missingKey, at: "sections", "the sections are missing or invalid") }
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

    /// Returns the canonical form of the document. It does not depend on spaces, on the order of keys, or on explicit
    /// defaults. Revisions are stored and hashed in this form.
    package func canonical() -> [UInt8] {
        do throws(JSONError) {
            return try canonicalJSON()
        } catch {
            preconditionFailure("every number of a document is finite and every key is written once: \(error)")
        }
    }
}
