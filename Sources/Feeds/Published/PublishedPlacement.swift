package import JSON
package import Layout
package import Values

/// One item at one slot of a section, by which a diffable list identifies its cells.
package struct PublishedPlacement: Sendable, Equatable {
    /// The order in a section: one list for all locales, or one for each locale with its own order.
    package enum Order: Sendable, Equatable {
        case everywhere(OrderKey)
        /// The place in each locale, with its heading if the section is grouped. A locale without a place does not show
        /// the item.
        case byLocale([LocaleTag: Position])
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
    package let item: UUID
    package let order: Order
    package let badges: [String]

    /// Returns the ID, which stays the same while the item moves within its section. It is short: it ends in the serial
    /// number in base 36.
    package static func id(in section: String, serialNumber: Int) -> String { "\(section)/\(String(serialNumber, radix: 36))" }

    package func position(in locale: LocaleTag) -> Position? {
        switch order {
        case .everywhere(let key): Position(key: key, initial: nil)
        case .byLocale(let positions): positions[locale]
        }
    }
}

extension PublishedPlacement: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let section = object.required("section", as: String.self)
        let item = object.required("item", as: String.self)
        let order = object.required("order", as: Order.self)
        badges = object.value("badges", default: [])
        try object.finish()
        self.section = try section()
        guard let id = UUID(try item()) else { throw json.refuse(.invalidType, "the item is not a UUID") }
        self.item = id
        self.order = try order()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("section", section)
        json.member("item", item.description)
        json.member("order", order)
        json.member("badges", badges, unless: [])
    }
}

extension PublishedPlacement.Order: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind == .object else {
            self = .everywhere(try json.decode())
            return
        }
        var positions: [LocaleTag: PublishedPlacement.Position] = [:]
        for value in try json.values() {
            guard let locale = LocaleTag(value.key) else { throw value.refuse(.invalidType, "the key is not a locale") }
            positions[locale] = try value.decode()
        }
        self = .byLocale(positions)
    }

    package func encode(to json: inout JSONWriter) {
        switch self {
        case .everywhere(let key): json.value(key)
        case .byLocale(let positions):
            json.object { json in
                for (locale, position) in positions.sorted(by: { $0.key.text < $1.key.text }) { json.member(locale.text, position) }
            }
        }
    }
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
