internal import Feeds
internal import Items
internal import JSON
internal import Values

struct PublishedFeedState {
    var revision: Int?
    /// The sections that are in the live revision, without the reason for which they are retained.
    var sections: [SectionKey: ComposedSection] = [:]
    var documents: [PublishedEntry.Key: [UInt8]] = [:]
    /// The item of each document that is about an item.
    var items: [PublishedEntry.Key: UUID] = [:]
    var placements: [String: PublishedPlacement] = [:]
    /// The next time at which the clock changes the feed.
    var validUntil: Timestamp?

    init() {}

    /// Returns the item of a document, or nil if it is not about an item or is unreadable.
    static func item(of key: PublishedEntry.Key, _ document: [UInt8]) -> UUID? {
        switch key.kind {
        case .membership: return member(key)
        case .placement:
            do throws(JSONError) {
                return try JSONDocument(parsing: document, limits: .ownOutput).root["item"]?.string.flatMap { UUID($0) }
            } catch { return nil }
        case .feed, .item, .layout, .section: return nil
        }
    }

    private static func member(_ key: PublishedEntry.Key) -> UUID? { key.id.split(separator: "/").last.flatMap { UUID(String($0)) } }

    /// Creates the state from published documents. The lists of the sections are those of the placements, sorted by
    /// key.
    init(reading documents: [PublishedEntry.Key: [UInt8]]) throws(JSONError) {
        self.documents = documents
        for (key, document) in documents where key.kind == .placement {
            let placement = try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(PublishedPlacement.self).value
            placements[key.id] = placement
            items[key] = placement.item
        }
        for key in documents.keys where key.kind == .membership { items[key] = Self.member(key) }
        for (key, document) in documents where key.kind == .feed {
            revision = try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(PublishedFeed.self).value.revision
        }
        var keys: [SectionKey: [LocaleTag?: [(OrderKey, UUID)]]] = [:]
        for (id, placement) in placements {
            guard let section = placement.section.split(separator: "/").last.flatMap({ SectionKey(String($0)) }),
                let serialNumber = id.split(separator: "/").last.flatMap({ Int($0, radix: 36) })
            else { continue }
            var composed = ComposedSection.Placement(serialNumber: serialNumber, badges: placement.badges)
            switch placement.order {
            case .everywhere(let key): keys[section, default: [:]][nil, default: []].append((key, placement.item))
            case .byLocale(let positions):
                for (locale, position) in positions {
                    keys[section, default: [:]][locale, default: []].append((position.key, placement.item))
                    composed.initials[locale] = position.initial
                }
            }
            sections[section, default: ComposedSection()].placements[placement.item] = composed
        }
        for (key, document) in documents where key.kind == .section {
            guard let section = key.id.split(separator: "/").last.flatMap({ SectionKey(String($0)) }) else { continue }
            let fill = try JSONDocument(parsing: document, limits: .ownOutput).root["fill"]
            if let size = fill?["size"]?.integer { sections[section]?.size = size }
        }
        for (section, lists) in keys {
            sections[section]?.lists = lists.mapValues { list in list.sorted { $0.0 < $1.0 }.map(\.1) }
        }
    }
}
