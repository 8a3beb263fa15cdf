package import JSON
package import Layout
internal import Resolve
package import Values

/// The document of one feed, of which each revision has one.
///
/// A document is only created by reading, so it is always consistent. See `FeedDocument.init(parsing:)`. It does not
/// check whether the catalog has the items, categories and charts that it names.
package struct FeedDocument: Sendable, Hashable {
    /// The use of a feed. A story is a feed whose cards have long texts.
    package enum Kind: String, CaseIterable, Sendable, JSONDecodable, JSONEncodable { case page, story }

    package static let maxSections = 100
    /// The number of the format. Documents without a number have format 1 and are read by `FeedFormat1`.
    package static let format = 2

    package let key: FeedKey
    package let kind: Kind
    package let title: LocalizedText
    package let theme: FeedTheme
    package let configuration: PageConfiguration
    /// The sections in the order of the page. Their keys are distinct.
    package let sections: [FeedSection]

    /// Returns the sections whose target includes clients of the storefront.
    package func sections(in storefront: String) -> [FeedSection] { sections.filter { $0.target?.isFor(storefront) ?? true } }
}

// MARK: Periods

extension FeedDocument {
    /// Returns the sections that exist at a time in a storefront with this clock.
    package func sections(in storefront: String, at time: Timestamp, by clock: LocalClock) -> [FeedSection] {
        var existing: [FeedSection] = []
        for section in sections(in: storefront) where section.exists(at: time, by: clock) { existing.append(section) }
        return existing
    }

    /// Returns the next time at which a section starts or ends to exist in a storefront with this clock, or nil if none does.
    package func nextSwitch(in storefront: String, after time: Timestamp, by clock: LocalClock) -> Timestamp? {
        var next: Timestamp?
        for section in sections {
            guard let span = section.during?.span(by: clock), !span.isEmpty, section.target?.isFor(storefront) ?? true else { continue }
            for bound in [span.lowerBound, span.upperBound] where bound > time && bound < next ?? .latest { next = bound }
        }
        return next
    }

    /// The wall-clock times of the periods, whose instants depend on the zone of a storefront.
    package var wallClocks: Set<PlannedTime> {
        var times: Set<PlannedTime> = []
        for section in sections {
            for time in [section.during?.from, section.during?.until] {
                if let time, time.isWallClock { times.insert(time) }
            }
        }
        return times
    }
}

extension JSONLimits {
    /// The limit that the database has for one document.
    package static let feed = JSONLimits(bytes: 1 << 20)
}

extension FeedDocument: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind != .object || json.node[Self.formatKey] != nil else {
            self = try FeedFormat1.read(json)
            return
        }
        var object = try json.object()
        _ = object.required(Self.formatKey, as: Int.self, .format)
        let key = object.required("feed", as: FeedKey.self)
        let kind = object.value("kind", default: Kind.page)
        let title = object.required("title", as: LocalizedText.self)
        theme = object.value("theme", default: FeedTheme())
        let configuration = object.value("configuration", default: PageConfiguration())
        let sections = object.required("sections") { list throws(JSONReadError) in
            try Self.sections(list, in: key.value, kind)
        }
        try object.finish()
        guard let sections else { throw object.refuse(.missingKey, at: "sections", "the sections are missing or invalid") }
        self.key = try key()
        self.kind = kind
        self.title = try title()
        self.configuration = configuration
        self.sections = sections
    }

    private static func sections(_ json: JSONReader, in feed: FeedKey?, _ kind: Kind) throws(JSONReadError) -> [FeedSection] {
        if json.node.count > maxSections {
            _ = json.refuse(.invalidCount, "expected at most \(maxSections) sections, found \(json.node.count)")
        }
        var above: [SectionKey: Int] = [:]
        return try json.list { section throws(JSONReadError) in try FeedSection(section, in: feed, kind, below: &above) }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member(Self.formatKey, Self.format)
        json.member("feed", key)
        json.member("kind", kind, unless: .page)
        json.member("title", title)
        json.member("theme", theme, unless: FeedTheme())
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

    static let formatKey = "format"
}

extension JSONRule<Int> {
    fileprivate static var format: JSONRule {
        .satisfying(.invalidChoice, "expected \(FeedDocument.format), the format of feed documents") { $0 == FeedDocument.format }
    }
}
