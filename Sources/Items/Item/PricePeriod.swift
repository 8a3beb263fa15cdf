package import JSON
package import Values

/// A period in which an item has another price than its regular one.
package struct PricePeriod: Sendable, Equatable {
    package let storefront: String
    package let role: ItemPrice.Role
    /// The start, or nil in a published document whose price is in effect.
    package let from: Timestamp?
    package let until: Timestamp
    package let amount: Money
    /// The price before a sale, in the same currency. Nil if the period is not a sale.
    package let previousMinor: Int?

    package static let maxPeriods = 1_000

    func precedes(_ other: PricePeriod) -> Bool {
        if storefront != other.storefront { return storefront.utf8.span.precedes(other.storefront.utf8.span) }
        return (role.rawValue, from ?? .earliest) < (other.role.rawValue, other.from ?? .earliest)
    }

    /// The price that clients are shown, with its end.
    var price: ShownPrice { ShownPrice(amount: amount, previousMinor: previousMinor, until: until) }
}

/// A price as clients are shown it: `{"amountMinor": 299, "currency": "EUR", "former": 499, "until": "…"}`.
package struct ShownPrice: Sendable, Equatable {
    package let amount: Money
    /// The price before the sale, or nil if there is no sale.
    package let previousMinor: Int?
    /// The time until which the price is in effect. Nil if the price is the regular one.
    package let until: Timestamp?

    package init(amount: Money, previousMinor: Int? = nil, until: Timestamp? = nil) {
        self.amount = amount
        self.previousMinor = previousMinor
        self.until = until
    }

    /// The discount of a sale in whole percent, rounded down, as rules compare it. Nil if there is no sale.
    package var discountPercent: Int? {
        guard let previousMinor, (1...Money.maxMinor).contains(previousMinor), (0...previousMinor).contains(amount.amountMinor) else {
            return nil
        }
        return 100 * (previousMinor - amount.amountMinor) / previousMinor
    }
}

extension ShownPrice: JSONObjectEncodable, JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let amountMinor = object.required("amountMinor", as: Int.self)
        let currency = object.required("currency", as: String.self)
        previousMinor = object.essential("former")
        until = object.essential("until")
        try object.finish()
        amount = Money(amountMinor: try amountMinor(), currency: try currency())
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("amountMinor", amount.amountMinor)
        json.member("currency", amount.currency)
        json.member("former", previousMinor)
        json.member("until", until?.description)
    }
}

extension Item {
    /// Returns the price in a storefront, or nil if the item has none there.
    package func price(_ role: ItemPrice.Role, in storefront: String) -> ShownPrice? {
        var fields = JSONMemberSearch(document)
        return price(role, in: storefront, &fields)
    }

    /// Returns the price as `price(_:in:)` does. `fields` are those of the document.
    func price(_ role: ItemPrice.Role, in storefront: String, _ fields: inout JSONMemberSearch) -> ShownPrice? {
        let regular = fields.value(role.member)?[storefront]
        // An item can have many periods, so only the one that has started is decoded.
        let current = Self.periods(role, in: storefront, &fields)?.first(where: { $0.start == nil })
        if let period = current?.decodeLeniently(Period.self) {
            return ShownPrice(amount: period.amount, previousMinor: period.previousMinor, until: period.until)
        }
        guard let amountMinor = regular?["amountMinor"]?.integer, let currency = regular?["currency"]?.string else { return nil }
        return ShownPrice(amount: Money(amountMinor: amountMinor, currency: currency))
    }

    /// Returns the next time at which the clock changes a price in a storefront.
    package func nextPriceChange(in storefront: String) -> Timestamp? {
        var fields = JSONMemberSearch(document)
        var next: Timestamp?
        for role in [ItemPrice.Role.price, .minimumOrder, .deliveryFee] {
            guard let periods = Self.periods(role, in: storefront, &fields) else { continue }
            for period in periods {
                guard let change = (period.start ?? period["until"])?.decodeLeniently(Timestamp.self) else { continue }
                next = min(next ?? .latest, change)
            }
        }
        return next
    }

    /// Returns the periods of one price in a storefront, or nil if it has none.
    private static func periods(_ role: ItemPrice.Role, in storefront: String, _ fields: inout JSONMemberSearch) -> JSONElements? {
        fields.value(role.periodsMember)?[storefront]?.elements
    }
}

extension JSONNode {
    /// The start of a period in a published document, or nil if the period has started.
    fileprivate var start: JSONNode? { self["from"].flatMap { $0.isNull ? nil : $0 } }
}

// MARK: JSON

extension ItemPrice.Role {
    /// The field of a record that contains the periods of this price.
    package var periodsMember: String {
        switch self {
        case .price: "pricePeriods"
        case .minimumOrder: "minimumOrderPeriods"
        case .deliveryFee: "deliveryFeePeriods"
        }
    }
}

extension JSONObjectReader {
    mutating func read(_ role: ItemPrice.Role, into list: inout [PricePeriod]) {
        guard let storefronts = optional(role.periodsMember, as: ByStorefront<Periods>.self)?.list else { return }
        for (storefront, periods) in storefronts {
            for period in periods.list {
                list.append(
                    PricePeriod(
                        storefront: storefront, role: role, from: period.from, until: period.until, amount: period.amount,
                        previousMinor: period.previousMinor))
            }
        }
    }
}

extension JSONWriter {
    mutating func member(_ periods: [PricePeriod], _ role: ItemPrice.Role) {
        let periods = periods.filter { $0.role == role }
        guard !periods.isEmpty else { return }
        member(role.periodsMember) { json in
            var next = periods.startIndex
            while next < periods.endIndex {
                let storefront = periods[next].storefront
                let end = periods[next...].firstIndex { $0.storefront != storefront } ?? periods.endIndex
                json.member(storefront, each: periods[next..<end]) { json, period in
                    json.object {
                        $0.member("from", period.from?.description)
                        period.price.encodeMembers(ofPeriodTo: &$0)
                    }
                }
                next = end
            }
        }
    }
}

extension ShownPrice {
    /// Encodes the fields in the order in which published documents have them.
    fileprivate func encodeMembers(ofPeriodTo json: inout JSONWriter) {
        json.member("until", until?.description)
        json.member("amountMinor", amount.amountMinor)
        json.member("currency", amount.currency)
        json.member("former", previousMinor)
    }
}

/// The periods of one storefront, in order of time.
private struct Periods: JSONDecodable {
    let list: [Period]

    init(from json: JSONReader) throws(JSONReadError) {
        var list = try json.decode(as: [Period].self)
        let counts = 1...PricePeriod.maxPeriods
        guard !json.isStrict || counts.contains(list.count) else { throw json.refuseCount(counts) }
        if list.count > 1 { list.sort { ($0.from ?? .earliest, $0.until) < ($1.from ?? .earliest, $1.until) } }
        self.list = list
        guard json.isStrict else { return }
        for (period, next) in zip(list, list.dropFirst()) where (next.from ?? .earliest) < period.until {
            throw json.refuse(.duplicate, "the periods overlap")
        }
    }
}

private struct Period: JSONDecodable {
    let from: Timestamp?
    let until: Timestamp
    let amount: Money
    let previousMinor: Int?

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let from = object.essential("from", as: Timestamp.self)
        let until = object.required("until", as: Timestamp.self)
        let amountMinor = object.required("amountMinor", in: 0...Money.maxMinor)
        let currency = object.required("currency", .currency)
        let previousMinor = object.optional("former", in: 1...Money.maxMinor)
        try object.finish()
        (self.from, self.until, self.previousMinor) = (from, try until(), previousMinor)
        amount = Money(amountMinor: try amountMinor(), currency: try currency())
        guard json.isStrict else { return }
        guard let from else { throw object.refuse(.missingKey, at: "from", "the key \"from\" is missing") }
        guard from < self.until else { throw object.refuse(.outOfRange, at: "until", "expected a time after that of \"from\"") }
        if let previousMinor, previousMinor <= amount.amountMinor {
            throw object.refuse(.outOfRange, at: "former", "expected more than the amount of \(amount.amountMinor), found \(previousMinor)")
        }
    }
}
