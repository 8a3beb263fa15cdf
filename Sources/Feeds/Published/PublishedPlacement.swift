internal import Items
package import JSON
package import Layout
package import Resolve
package import Values

/// An item or a card of a section, by which a diffable list identifies its cells. It is pinned, or a candidate for the slots
/// without pins, or both.
///
/// A class, because pages and their orders share the placements of a snapshot. A copy of its values costs more than its use.
package final class PublishedPlacement: Sendable {
    package enum Content: Sendable, Equatable {
        /// An item, with the appearance that it has while it is pinned if it is not its own.
        case item(UUID, ItemAppearance?)
        case card(Card)
    }

    package struct Pin: Sendable, Equatable {
        package let slot: Int
        /// The target, or nil if all clients see the pin.
        package let target: Target?

        package init(slot: Int, target: Target? = nil) {
            self.slot = slot
            self.target = target
        }
    }

    /// The order in a section: one list for all clients, or one for each locale or platform with its own order.
    package enum Order: Sendable, Equatable {
        case everywhere(OrderKey)
        /// The place in each locale, with its heading if the section is grouped. A locale without a place does not show
        /// the item.
        case byLocale([LocaleTag: Position])
        /// The key for clients that state no platform, and the keys for those of each platform. Clients do not see the item as a
        /// candidate if there is no key for them.
        case byPlatform(OrderKey?, [String: OrderKey])
    }

    package struct Position: Sendable, Equatable {
        package let key: OrderKey
        package let initial: String?

        package init(key: OrderKey, initial: String?) {
            self.key = key
            self.initial = initial
        }
    }

    /// The section, such as `today/top-free`.
    package let section: String
    package let content: Content
    /// The pin. It is nil if the placement is only a candidate.
    package let pin: Pin?
    /// The order among the candidates. It is nil if the placement is only pinned.
    package let order: Order?
    /// The platforms whose clients see the item, or nil if all clients do. Never empty.
    package let platforms: Set<String>?
    /// The heading of a pinned item in each locale, if the section is grouped.
    package let initials: [LocaleTag: String]
    package let badges: [String]

    /// The effect of a tap, unless it opens the item.
    var action: Action? {
        switch content {
        case .item(_, let appearance): appearance?.action
        case .card(let card): card.action
        }
    }

    /// The order, if each platform has its own.
    package var orderByPlatform: Order? { if case .byPlatform = order { order } else { nil } }

    package var item: UUID? { if case .item(let item, _) = content { item } else { nil } }

    /// Returns the ID, which stays the same while the item moves within its section. It is short: it ends in the serial
    /// number in base 36.
    package static func id(in section: String, serialNumber: Int) -> String { "\(section)/\(String(serialNumber, radix: 36))" }

    package static func id(in section: String, card: CardKey) -> String { "\(section)/~\(card)" }

    package init(
        section: String, content: Content, pin: Pin?, order: Order?, platforms: Set<String>? = nil, initials: [LocaleTag: String],
        badges: [String]
    ) {
        self.section = section
        self.content = content
        self.pin = pin
        self.order = order
        self.platforms = platforms
        self.initials = initials
        self.badges = badges
    }

    /// Returns the position among the candidates, or nil if the placement is not one of them in the locale and on the platform.
    /// A nil platform is for clients that state none.
    package func position(in locale: LocaleTag, on platform: String? = nil) -> Position? {
        switch order {
        case .everywhere(let key): Position(key: key, initial: nil)
        case .byLocale(let positions): positions[locale]
        case .byPlatform(let key, let keys):
            (platform.map { keys[$0] } ?? key).map { Position(key: $0, initial: nil) }
        case nil: nil
        }
    }
}

extension PublishedPlacement: Equatable {
    package static func == (a: PublishedPlacement, b: PublishedPlacement) -> Bool {
        a.section == b.section && a.content == b.content && a.pin == b.pin && a.order == b.order && a.platforms == b.platforms
            && a.initials == b.initials && a.badges == b.badges
    }
}

extension PublishedPlacement: JSONDecodable, JSONObjectEncodable {
    package convenience init(from json: JSONReader) throws(JSONReadError) {
        var known = KnownPlatforms()
        try self.init(from: json, &known)
    }

    fileprivate convenience init(from json: JSONReader, _ known: inout KnownPlatforms) throws(JSONReadError) {
        var object = try json.object()
        let section = object.required("section", as: String.self)
        let item = object.optional("item", as: UUID.self)
        let appearance = object.optional("show", as: ItemAppearance.self)
        let card = object.optional("card", as: Card.self)
        let slot = object.essential("pin", as: Int.self)
        let target = object.optional("target", as: Target.self)
        let order = object.essential("order", as: Order.self)
        let on = object.member("on")
        let initials = object.value("initials", default: [String: String]())
        let badges = object.value("badges", default: [String]())
        try object.finish()
        let content: Content
        switch (item, card) {
        case (let item?, nil): content = .item(item, appearance)
        case (nil, let card?): content = .card(card)
        default: throw json.refuse(.missingKey, "expected an item or a card")
        }
        guard slot != nil || target == nil else { throw json.refuse(.missingKey, "a placement with a target is pinned") }
        self.init(
            section: try section(), content: content, pin: slot.map { Pin(slot: $0, target: target) }, order: order,
            platforms: try known.platforms(on),
            initials: Dictionary(uniqueKeysWithValues: initials.compactMap { key, initial in LocaleTag(key).map { ($0, initial) } }),
            badges: badges)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("section", section)
        switch content {
        case .item(let item, let appearance):
            json.member("item", item.description)
            json.member("show", appearance)
        case .card(let card): json.member("card", card)
        }
        json.member("pin", pin?.slot)
        json.member("target", pin?.target)
        json.member("order", order)
        json.member("on", platforms?.sorted())
        if !initials.isEmpty {
            json.member("initials") { json in
                for (locale, initial) in initials.sorted(by: { $0.key.text < $1.key.text }) { json.member(locale.text, initial) }
            }
        }
        json.member("badges", badges, unless: [])
    }
}

/// The placements in a list of documents.
struct PublishedPlacements: JSONDecodable {
    let list: [PublishedPlacement]

    init(from json: JSONReader) throws(JSONReadError) {
        let elements = try json.elements()
        var known = KnownPlatforms()
        var list: [PublishedPlacement] = []
        list.reserveCapacity(elements.underestimatedCount)
        for element in elements { list.append(try PublishedPlacement(from: element, &known)) }
        self.list = list
    }
}

/// The sets of platforms that were read. Most placements of a feed have one of a few sets, and share its memory.
private struct KnownPlatforms {
    private var sets: [(text: [UInt8], platforms: Set<String>)] = []
    /// The maximum number of sets, so that a search stays faster than reading.
    private static let limit = 32

    /// Returns the platforms of a placement, or nil if it has no list of them.
    mutating func platforms(_ list: JSONReader?) throws(JSONReadError) -> Set<String>? {
        guard let list, !list.isNull else { return nil }
        let node = list.node
        let text = node.document.source[node.range]
        for known in sets where known.text.count == text.count && known.text.elementsEqual(text) { return known.platforms }
        let platforms = Set(try list.decode(as: [String].self))
        guard !platforms.isEmpty else { throw list.refuse(.invalidCount, "expected at least one platform") }
        if sets.count < Self.limit { sets.append((Array(text), platforms)) }
        return platforms
    }
}

extension PublishedPlacement.Order: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind == .object else {
            self = .everywhere(try json.decode())
            return
        }
        var positions: [LocaleTag: PublishedPlacement.Position] = [:]
        var keys: [String: OrderKey] = [:]
        for value in try json.values() {
            if value.kind == .string {
                keys[value.key] = try value.decode()
                continue
            }
            guard let locale = LocaleTag(value.key) else { throw value.refuse(.invalidType, "the key is not a locale") }
            positions[locale] = try value.decode()
        }
        if keys.isEmpty {
            self = .byLocale(positions)
        } else {
            let key = keys.removeValue(forKey: Self.withoutPlatform)
            self = .byPlatform(key, keys)
        }
    }

    package func encode(to json: inout JSONWriter) {
        switch self {
        case .everywhere(let key): json.value(key)
        case .byLocale(let positions):
            json.object { json in
                for (locale, position) in positions.sorted(by: { $0.key.text < $1.key.text }) { json.member(locale.text, position) }
            }
        case .byPlatform(let key, let keys):
            json.object { json in
                json.member(Self.withoutPlatform, key)
                for (platform, key) in keys.sorted(by: { $0.key < $1.key }) { json.member(platform, key) }
            }
        }
    }

    /// The name of the key for clients that state no platform.
    private static var withoutPlatform: String { "*" }
}

extension PublishedPlacement.Position: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let key = object.required("key", as: OrderKey.self)
        initial = object.optional("initial")
        try object.finish()
        self.key = try key()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("key", key)
        json.member("initial", initial)
    }
}

extension OrderKey: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let key = OrderKey(try json.decode(as: String.self)) else { throw json.refuse(.invalidType, "the text is not an order key") }
        self = key
    }

    package func encode(to json: inout JSONWriter) { json.string(text) }
}

/// A record that a feed contains an item or uses a layout. It informs a client of the feed when an unchanged item or
/// layout becomes part of the feed or leaves it.
package struct PublishedMembership: Sendable, Equatable, JSONObjectEncodable {
    package enum Member: Sendable, Equatable {
        case item(UUID)
        case layout(LayoutID)
    }

    package let member: Member

    package init(_ member: Member) { self.member = member }

    package func encodeMembers(to json: inout JSONWriter) {
        switch member {
        case .item(let id): json.member("item", id.description)
        case .layout(let id): json.member("layout", id)
        }
    }
}
