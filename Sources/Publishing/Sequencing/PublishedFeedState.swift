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

    /// Copies the documents that follow from the same items as in an earlier state, and returns which they are, with the keys of all
    /// others. A change of one item usually concerns one of many sections, so only the documents of this one are visited.
    mutating func keepDocuments(
        of before: PublishedFeedState, in document: FeedDocument
    ) -> (kept: FeedComposer.Kept, others: Set<PublishedEntry.Key>) {
        var kept = FeedComposer.Kept()
        guard isComposed, before.isComposed, revision == before.revision else { return (kept, Set(before.documents.keys)) }
        let (sections, sectionsBefore) = (Set(parts.keys.map(\.section)), Set(before.parts.keys.map(\.section)))
        kept.hasSameSections = sections == sectionsBefore
        kept.sections = sections.filter { section in
            let (shelf, list) = (SectionPart.shelf(section), SectionPart.list(section))
            return parts[shelf] == before.parts[shelf] && parts[list] == before.parts[list]
        }
        (documents, items, previous) = (before.documents, before.items, before.previous)
        var others: Set = [PublishedEntry.Key(.feed, document.key.text)]
        for section in sectionsBefore.subtracting(kept.sections) {
            others.formUnion(before.keys(of: section, in: document))
            others.formUnion(keysOfPreviousMembers(of: section, before, in: document))
        }
        if !kept.hasSameSections {
            others.formUnion(before.documents.keys.filter { $0.kind == .section || $0.kind == .membership && before.items[$0] == nil })
        }
        for key in others {
            documents[key] = nil
            items[key] = nil
            previous.placements[key] = nil
            if key.kind == .list { previous.lists[key.id] = nil }
        }
        return (kept, others)
    }

    /// Returns the keys of the placements and entries of a section, and that of its list.
    private func keys(of section: SectionKey, in document: FeedDocument) -> [PublishedEntry.Key] {
        let id = document.id(of: section)
        var keys: [PublishedEntry.Key] = []
        for (part, kind) in [(SectionPart.shelf(section), PublishedKind.placement), (.list(section), .entry)] {
            guard let items = parts[part] else { continue }
            for placement in items.placements.values {
                keys.append(.init(kind, PublishedPlacement.id(in: id, serialNumber: placement.serialNumber)))
            }
            for pin in items.pins {
                if case .card(let card) = pin.content { keys.append(.init(kind, PublishedPlacement.id(in: id, card: card.key))) }
            }
            if kind == .entry { keys.append(.init(.list, id)) }
        }
        return keys
    }

    /// Returns the keys of the memberships of items that were in a section of an earlier state, and are in no section of this one.
    private func keysOfPreviousMembers(
        of section: SectionKey, _ before: PublishedFeedState, in document: FeedDocument
    ) -> [PublishedEntry.Key] {
        let feed = document.key.text
        var keys: [PublishedEntry.Key] = []
        for (part, name) in [(SectionPart.shelf(section), feed), (.list(section), StoredFeedName.lists(of: feed))] {
            guard let earlier = before.parts[part] else { continue }
            for item in earlier.placements.keys where !shows(item, inAnyPartLike: part) { keys.append(.init(membershipOf: item, in: name)) }
        }
        return keys
    }

    /// Whether a shelf has an item, or a list if the given part is one.
    private func shows(_ item: UUID, inAnyPartLike part: SectionPart) -> Bool {
        if parts[part]?.placements[item] != nil { return true }
        return parts.contains { other, items in other.isShelf == part.isShelf && items.placements[item] != nil }
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
