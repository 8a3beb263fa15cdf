internal import Feeds
internal import Items
internal import JSON
internal import Values

struct PublishedFeedState {
    /// Whether this sequencer composed the documents. Another program can have published others for the same items.
    var isComposed = false
    var revision: Int?
    var publication: Int?
    /// The published experiments.
    var registry = ExperimentRegistry()
    /// The shelves and lists that are in the live revision, without the reason for which they are retained.
    var parts: [SectionPart: ComposedItems] = [:]
    var documents: [PublishedEntry.Key: [UInt8]] = [:]
    /// The item of each document that is about an item.
    var items: [PublishedEntry.Key: UUID] = [:]
    /// The placements, entries and lists, which keep their order keys.
    var previous = FeedComposer.Previous()
    /// The next time at which the clock changes the feed.
    var validUntil: Timestamp?

    init() {}

    /// Whether the same documents follow from both states.
    func isSame(as other: PublishedFeedState) -> Bool {
        isComposed && other.isComposed && revision == other.revision && publication == other.publication && registry == other.registry
            && parts == other.parts
    }

    /// Stores a composed document, which is not a layout.
    mutating func store(_ entry: PublishedEntry) {
        documents[entry.key] = entry.document
        items[entry.key] = entry.item
        if let placement = entry.placement { previous.placements[entry.key] = placement }
        if let list = entry.list { previous.lists[entry.key.id] = list }
    }

    /// Copies the documents that follow from the same items as in an earlier state, and returns which they are. A change of one
    /// item usually concerns one of many sections.
    mutating func keepDocuments(of before: PublishedFeedState, in document: FeedDocument) -> FeedComposer.Kept {
        var kept = FeedComposer.Kept()
        guard isComposed, before.isComposed, revision == before.revision else { return kept }
        for section in Set(parts.keys.map(\.section)) {
            let (shelf, list) = (SectionPart.shelf(section), SectionPart.list(section))
            if parts[shelf] == before.parts[shelf], parts[list] == before.parts[list] { kept.sections.insert(section) }
        }
        let (now, then) = (members, before.members)
        kept.members = now.ofPage.intersection(then.ofPage)
        kept.listed = now.ofLists.intersection(then.ofLists)
        let sections = Set(kept.sections.map { document.id(of: $0) })
        (documents, items, previous) = (before.documents, before.items, before.previous)
        for key in before.documents.keys where !before.keeps(key, kept, sections, in: document.key.text) {
            documents[key] = nil
            items[key] = nil
            previous.placements[key] = nil
            if key.kind == .list { previous.lists[key.id] = nil }
        }
        return kept
    }

    /// The items on the page and in its lists.
    private var members: (ofPage: Set<UUID>, ofLists: Set<UUID>) {
        var members: (ofPage: Set<UUID>, ofLists: Set<UUID>) = ([], [])
        for (part, items) in parts {
            switch part {
            case .shelf: members.ofPage.formUnion(items.placements.keys)
            case .list: members.ofLists.formUnion(items.placements.keys)
            }
        }
        return members
    }

    /// Whether a document is a kept one. `sections` are the IDs of the kept sections.
    private func keeps(_ key: PublishedEntry.Key, _ kept: FeedComposer.Kept, _ sections: Set<String>, in feed: String) -> Bool {
        switch key.kind {
        case .placement, .entry: previous.placements[key].map { sections.contains($0.section) } ?? false
        case .list: sections.contains(key.id)
        case .membership:
            items[key].map { (StoredFeedName.name(of: key, in: feed) == feed ? kept.members : kept.listed).contains($0) } ?? false
        // They are composed again.
        case .layout, .item, .section, .feed: false
        }
    }

    /// Returns the item of a document, or nil if it is not about an item or is unreadable.
    static func item(of key: PublishedEntry.Key, _ document: [UInt8]) -> UUID? {
        switch key.kind {
        case .membership: return member(key)
        case .placement, .entry:
            do throws(JSONError) {
                return try JSONDocument(parsing: document, limits: .ownOutput).root["item"]?.string.flatMap { UUID($0) }
            } catch { return nil }
        case .feed, .item, .layout, .section, .list: return nil
        }
    }

    private static func member(_ key: PublishedEntry.Key) -> UUID? { key.id.split(separator: "/").last.flatMap { UUID(String($0)) } }

    /// Creates the state from published documents. The orders of the items are those of their keys.
    init(reading documents: [PublishedEntry.Key: [UInt8]]) throws(JSONError) {
        self.documents = documents
        for (key, document) in documents {
            switch key.kind {
            case .placement, .entry:
                let placement = try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(PublishedPlacement.self).value
                previous.placements[key] = placement
                items[key] = placement.item
            case .list:
                let list = try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(PublishedList.self).value
                previous.lists[key.id] = list
                // A list can be empty.
                if let part = SectionPart(.list, of: key.id) { parts[part, default: ComposedItems()].orders = [:] }
            case .membership: items[key] = Self.member(key)
            case .feed:
                let feed = try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(PublishedFeed.self).value
                (revision, publication, registry) = (feed.revision, feed.publication, feed.registry)
            case .item, .layout, .section: continue
            }
        }
        var keys: [SectionPart: [LocaleTag?: [(OrderKey, UUID)]]] = [:]
        var platformKeys: [SectionPart: [String: [(OrderKey, UUID)]]] = [:]
        for (key, placement) in previous.placements {
            guard let part = SectionPart(key.kind, of: placement.section) else { continue }
            if let pin = placement.pin { parts[part, default: ComposedItems()].pins.append(ComposedItems.Pin(placement.content, pin)) }
            guard let item = placement.item, let serialNumber = key.id.split(separator: "/").last.flatMap({ Int($0, radix: 36) }) else {
                continue
            }
            var composed = ComposedItems.Placement(
                serialNumber: serialNumber, badges: placement.badges, platforms: placement.platforms, initials: placement.initials)
            switch placement.order {
            case .everywhere(let key): keys[part, default: [:]][nil, default: []].append((key, item))
            case .byLocale(let positions):
                for (locale, position) in positions {
                    keys[part, default: [:]][locale, default: []].append((position.key, item))
                    composed.initials[locale] = position.initial
                }
            case .byPlatform(let key, let others):
                if let key { keys[part, default: [:]][nil, default: []].append((key, item)) }
                for (platform, key) in others { platformKeys[part, default: [:]][platform, default: []].append((key, item)) }
            case nil: break
            }
            parts[part, default: ComposedItems()].placements[item] = composed
        }
        for part in parts.keys { parts[part]?.pins.sort { $0.slot < $1.slot } }
        for (part, orders) in keys {
            parts[part]?.orders = orders.mapValues { order in order.sorted { $0.0 < $1.0 }.map(\.1) }
        }
        for (part, orders) in platformKeys {
            parts[part]?.platformOrders = orders.mapValues { order in order.sorted { $0.0 < $1.0 }.map(\.1) }
        }
    }
}

extension ComposedItems.Pin {
    fileprivate init(_ content: PublishedPlacement.Content, _ pin: PublishedPlacement.Pin) {
        switch content {
        case .item(let item, let appearance): self.init(slot: pin.slot, content: .item(item, appearance), target: pin.target)
        case .card(let card): self.init(slot: pin.slot, content: .card(card), target: pin.target)
        }
    }
}

extension SectionPart {
    /// Creates the part to which a document of a section with this ID belongs.
    fileprivate init?(_ kind: PublishedKind, of id: String) {
        guard let key = id.split(separator: "/").last.flatMap({ SectionKey(String($0)) }) else { return nil }
        self = kind == .placement ? .shelf(key) : .list(key)
    }
}
