package import Items
package import JSON
package import Resolve

/// An item or a card at a fixed slot of a section.
package struct Pin: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// An item, with the appearance that it has here if it is not its own.
        case item(ItemReference, ItemAppearance?)
        case card(Card)
    }

    /// The slot, from 0 and below the section's size.
    package let slot: Int
    package let content: Content
    /// The target, or nil if the pin is for all clients.
    package let target: Target?

    package var item: ItemReference? { if case .item(let item, _) = content { item } else { nil } }
    package var card: Card? { if case .card(let card) = content { card } else { nil } }

    package var action: Action? {
        switch content {
        case .item(_, let appearance): appearance?.action
        case .card(let card): card.action
        }
    }

    /// The name of the pin, which is the item, or `~` with the key of the card.
    package var name: String {
        switch content {
        case .item(let item, _): item.description
        case .card(let card): "~\(card.key)"
        }
    }
}

extension Pin {
    /// The constraints of the pins of a section.
    struct Rules {
        let size: Int
        /// Whether the items have headings, which cards do not have and clients cannot compute.
        let isGrouped: Bool
        let kind: FeedDocument.Kind
    }

    /// Returns pins in the order of their slots. Inserts each pinned item into `items`, even if its pin is invalid.
    static func list(_ json: JSONReader, _ rules: Rules, items: inout Set<ItemReference>) throws(JSONReadError) -> [Pin] {
        var slots: Set<Int> = []
        var cards: Set<CardKey> = []
        var pins: [Pin] = []
        var failure: JSONReadError?
        for element in try json.elements() {
            do throws(JSONReadError) {
                pins.append(try Pin(element, rules, slots: &slots, items: &items, cards: &cards))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return pins.sorted { $0.slot < $1.slot }
    }

    private enum ContentKey: String, CaseIterable { case item, card }

    private init(
        _ json: JSONReader, _ rules: Rules, slots: inout Set<Int>, items: inout Set<ItemReference>, cards: inout Set<CardKey>
    ) throws(JSONReadError) {
        var object = try json.object()
        let slot = object.required("slot", as: Int.self, .slot(below: rules.size))
        if let slot = slot.value, !slots.insert(slot).inserted {
            object.report(.duplicate, at: "slot", "another pin already has the slot \(slot)")
        }
        let choice = object.choice(of: ContentKey.self)
        let appearance = object.optional("show", as: ItemAppearance.self)
        target = object.optional("target")
        var content: Content?
        if case .card? = choice.value?.0, object.has("show") {
            object.report(.invalidChoice, at: "show", "a card has its own texts", hint: "move them to \"card\"")
        }
        if rules.isGrouped {
            if object.has("card") { object.report(.invalidChoice, at: "card", "a section that is grouped cannot have cards") }
            if object.has("target") {
                object.report(.invalidChoice, at: "target", "a pin of a section that is grouped cannot have a target")
            }
        }
        switch choice.value {
        case (.item, let value)?:
            if let item = Self.value(value, as: ItemReference.self) {
                if !items.insert(item).inserted { object.report(.duplicate, at: "item", "\(item) is already pinned") }
                content = .item(item, appearance)
            }
        case (.card, let value)?:
            if let card = Self.value(value, as: Card.self) {
                if !cards.insert(card.key).inserted {
                    object.report(.duplicate, at: "card", "another card of the section has the key \"\(card.key)\"")
                }
                if card.body != nil, rules.kind != .story {
                    object.report(
                        .invalidChoice, at: "card", "only the cards of a story have a body", hint: "write \"kind\": \"story\" in the feed")
                }
                content = .card(card)
            }
        case nil: break
        }
        try object.finish()
        guard let content else { throw object.refuse(.missingKey, at: "item", "the item or card is missing or invalid") }
        self.slot = try slot()
        self.content = content
    }

    private static func value<Value: JSONDecodable>(_ json: JSONReader, as: Value.Type) -> Value? {
        do throws(JSONReadError) { return try json.decode(as: Value.self) } catch { return nil }
    }
}

extension Pin: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("slot", slot)
        switch content {
        case .item(let item, let appearance):
            json.member(ContentKey.item.rawValue, item)
            json.member("show", appearance)
        case .card(let card): json.member(ContentKey.card.rawValue, card)
        }
        json.member("target", target)
    }
}

extension JSONRule<Int> {
    fileprivate static func slot(below size: Int) -> JSONRule {
        .satisfying(.outOfRange, "expected 0 to \(size - 1), because the size is \(size)") { (0..<size).contains($0) }
    }
}
