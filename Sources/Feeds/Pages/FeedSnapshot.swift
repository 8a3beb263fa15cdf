package import Items
package import JSON
internal import Resolve
package import Values

/// The published documents of a feed in a storefront, at one version.
package final class FeedSnapshot: Sendable {
    package final class Section: Sendable {
        package let published: PublishedSection
        package let version: Int
        /// The placements of the shelf by ID.
        package let placements: [String: PublishedPlacement]
        /// The list, or nil if clients cannot load more items than the shelf has.
        package let list: PublishedList?
        /// The placements of the list by ID.
        package let entries: [String: PublishedPlacement]
        let order = SharedOrder<Placement>()
        let listOrder = SharedOrder<ListEntry>()

        init(
            _ published: PublishedSection, version: Int, placements: [String: PublishedPlacement], list: PublishedList?,
            entries: [String: PublishedPlacement]
        ) {
            self.published = published
            self.version = version
            self.placements = placements
            self.list = list
            self.entries = entries
        }

        /// Returns the list in the order of a locale, with the items of all platforms.
        package func entries(in locale: LocaleTag) -> [ListEntry] {
            listOrder.list(entries, in: locale) { ListEntry.list($0, in: $1) }
        }
    }

    /// An item of a list at its position in one locale.
    package struct ListEntry: Sendable {
        package let id: String
        package let item: UUID
        package let position: PublishedPlacement.Position
        /// The platforms whose clients see the item, or nil if all clients do.
        let platforms: Set<String>?
        package let badges: [String]

        fileprivate init?(id: String, _ placement: PublishedPlacement, in locale: LocaleTag) {
            guard let item = placement.item, let position = placement.position(in: locale) else { return nil }
            self.id = id
            self.item = item
            self.position = position
            platforms = placement.platforms
            badges = placement.badges
        }

        fileprivate static func list(_ placements: [String: PublishedPlacement], in locale: LocaleTag) -> [ListEntry] {
            var entries: [(rank: UInt64, entry: ListEntry)] = []
            entries.reserveCapacity(placements.count)
            for (id, placement) in placements {
                if let entry = ListEntry(id: id, placement, in: locale) { entries.append((entry.position.key.rank, entry)) }
            }
            entries.sort { $0.rank != $1.rank ? $0.rank < $1.rank : $0.entry.id < $1.entry.id }
            return entries.map(\.entry)
        }
    }

    package let storefront: String
    package let feed: PublishedFeed
    /// The sections in the order of the page.
    package let sections: [Section]
    package let items: [UUID: Item]
    /// Whether `items` has each item of the sections.
    let hasAllItems: Bool
    /// The targets of the sections and of their pins.
    let targets: [Target]
    /// The highest version of the published feed and its items.
    package let version: Int
    /// The time at which the clock changes the feed, or nil if it never does.
    package let validUntil: Timestamp?

    /// The published documents of a feed without its items.
    package struct Content: Sendable {
        fileprivate let feed: PublishedFeed
        fileprivate let validUntil: Timestamp?
        fileprivate let sections: [Section]
        fileprivate let targets: [Target]

        /// Reads the parts of a feed. Returns nil if the feed is not live in the storefront.
        package init?(_ parts: [Part]) throws(JSONError) {
            var feed: PublishedFeed?
            var validUntil: Timestamp?
            var sections: [String: (PublishedSection, Int)] = [:]
            var lists: [String: PublishedList] = [:]
            for part in parts {
                switch part.kind {
                case .feed:
                    feed = try part.read()
                    validUntil = part.validUntil
                case .section: sections[part.id] = (try part.read(), part.version)
                case .list: lists[part.id] = try part.read()
                case .layout, .item, .membership, .placement, .entry: continue
                }
            }
            guard let feed else { return nil }
            let placements = try FeedSnapshot.placements(.placement, in: parts)
            let entries = try FeedSnapshot.placements(.entry, in: parts)
            self.feed = feed
            self.validUntil = validUntil
            self.sections = feed.sections.compactMap { id in
                sections[id].map {
                    Section($0.0, version: $0.1, placements: placements[id] ?? [:], list: lists[id], entries: entries[id] ?? [:])
                }
            }
            var pins: [PublishedPlacement.Pin] = []
            for section in self.sections {
                var pinned: [(id: String, pin: PublishedPlacement.Pin)] = []
                for (id, placement) in section.placements {
                    if let pin = placement.pin { pinned.append((id, pin)) }
                }
                pins += pinned.sorted { $0.id < $1.id }.map(\.pin)
            }
            targets = self.sections.compactMap(\.published.target) + pins.compactMap(\.target)
        }
    }

    /// Creates a snapshot. `items` can have more items than the feed. `newest` is the highest version of its published
    /// documents, including deleted ones.
    package init(_ storefront: String, _ content: Content, items: [UUID: Item], newest: Int) {
        self.storefront = storefront
        feed = content.feed
        validUntil = content.validUntil
        sections = content.sections
        (self.items, hasAllItems) = Self.visible(items, in: sections)
        targets = content.targets
        version = max(newest, self.items.values.map(\.version).max() ?? 0)
    }

    /// Creates a snapshot of parts. Returns nil if the feed is not live in the storefront.
    package convenience init?(_ storefront: String, parts: [Part], items: [UUID: Item], newest: Int) throws(JSONError) {
        guard let content = try Content(parts) else { return nil }
        self.init(storefront, content, items: items, newest: newest)
    }

    /// Returns the placements of a kind by section and ID. All documents are parsed as one list, because a parser for each takes
    /// longer than reading it.
    private static func placements(_ kind: PublishedKind, in parts: [Part]) throws(JSONError) -> [String: [String: PublishedPlacement]] {
        var ids: [String] = []
        var list = [UInt8(ascii: "[")]
        for part in parts where part.kind == kind {
            if !ids.isEmpty { list.append(UInt8(ascii: ",")) }
            list.append(contentsOf: part.document)
            ids.append(part.id)
        }
        guard !ids.isEmpty else { return [:] }
        list.append(UInt8(ascii: "]"))
        let placements = try JSONDocument(parsing: list, limits: .ownOutput).decodeLeniently(PublishedPlacements.self).value.list
        var sections: [String: [String: PublishedPlacement]] = [:]
        for (id, placement) in zip(ids, placements) { sections[placement.section, default: [:]][id] = placement }
        return sections
    }

    /// Returns those of the items that any section has, and whether they are complete.
    private static func visible(_ items: [UUID: Item], in sections: [Section]) -> (items: [UUID: Item], areComplete: Bool) {
        var visible: [UUID: Item] = [:]
        var areComplete = true
        for section in sections {
            for placements in [section.placements, section.entries] {
                for placement in placements.values {
                    guard let id = placement.item else { continue }
                    if let item = items[id] { visible[id] = item } else { areComplete = false }
                }
            }
        }
        return (visible, areComplete)
    }

    private init(_ other: FeedSnapshot, items: [UUID: Item], version: Int) {
        storefront = other.storefront
        feed = other.feed
        sections = other.sections
        self.items = items
        hasAllItems = other.hasAllItems || Self.visible(items, in: sections).areComplete
        targets = other.targets
        self.version = version
        validUntil = other.validUntil
    }

    /// Returns the snapshot with others of the items that the feed has.
    package func replacing(_ others: [UUID: Item]) -> FeedSnapshot {
        var (items, version) = (items, version)
        func replace(_ id: UUID?) {
            guard let id, let item = others[id] else { return }
            items[id] = item
            version = max(version, item.version)
        }
        for section in sections {
            for placement in section.placements.values { replace(placement.item) }
            for entry in section.entries.values { replace(entry.item) }
        }
        return FeedSnapshot(self, items: items, version: version)
    }

    package struct Part: Sendable {
        package let kind: PublishedKind
        package let id: String
        package let version: Int
        package let document: [UInt8]
        package let validUntil: Timestamp?

        package init(kind: PublishedKind, id: String, version: Int, document: [UInt8], validUntil: Timestamp?) {
            self.kind = kind
            self.id = id
            self.version = version
            self.document = document
            self.validUntil = validUntil
        }

        fileprivate func read<Value: JSONDecodable>(as type: Value.Type = Value.self) throws(JSONError) -> Value {
            try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(type).value
        }
    }
}

/// The highest published version and its epoch. The same version in two epochs is not the same state.
package struct PublishedHead: Sendable, Hashable {
    /// The nonce of the epoch, or nil before the first one.
    package let epoch: Int?
    package let version: Int
    /// Whether everything that was committed before is published.
    package let isComplete: Bool

    package init(epoch: Int?, version: Int, isComplete: Bool = true) {
        self.epoch = epoch
        self.version = version
        self.isComplete = isComplete
    }

    package func isNewer(after known: PublishedHead) -> Bool {
        epoch != known.epoch || version > known.version || version == known.version && isComplete && !known.isComplete
    }
}

/// A published document that this program cannot read, because a newer release has written it.
package struct UnreadablePublication: Sendable, CustomStringConvertible {
    package let what: String
    package let error: JSONError
    /// The feed that it belongs to, or nil if it is an item or a layout.
    package let storefrontFeed: StorefrontFeed?

    package init(what: String, error: JSONError, of storefrontFeed: StorefrontFeed? = nil) {
        self.what = what
        self.error = error
        self.storefrontFeed = storefrontFeed
    }

    package var description: String { "\(what) was not updated: \(error.description)" }
}

/// A feed in a storefront, which is the unit of composition.
package struct StorefrontFeed: Sendable, Hashable {
    package let storefront: String
    package let feed: String

    package init(storefront: String, feed: String) {
        self.storefront = storefront
        self.feed = feed
    }
}
