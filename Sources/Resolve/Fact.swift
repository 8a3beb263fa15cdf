/// One property of a client, as far as it is known.
package enum Fact<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The client may state the value later.
    case unknown
    /// The client does not state the value. A condition on it does not hold.
    case notSaid
    case said(Value)

    /// Whether a condition on the value holds. Returns nil if this is unknown.
    func satisfies(_ condition: (Value) -> Bool) -> Bool? {
        switch self {
        case .unknown: nil
        case .notSaid: false
        case .said(let value): condition(value)
        }
    }
}

extension Fact {
    /// Creates the fact of a client that states the value, or that states none.
    package init(_ value: Value?) {
        self = value.map { .said($0) } ?? .notSaid
    }
}

/// The properties of a client that decide what a page shows to it.
package struct ClientFacts: Sendable, Hashable {
    package var storefront = Fact<String>.unknown
    /// The locale of the client and its fallback locales, the most specific first.
    package var locale = Fact<[String]>.unknown
    package var platform = Fact<String>.unknown
    package var appVersion = Fact<Version>.unknown
    package var os = Fact<Version>.unknown
    package var tags = Fact<Set<String>>.unknown
    /// The ID of the client, which gives it its place in each experiment.
    package var client = Fact<String>.unknown

    package init() {}

    package static let nothingKnown = ClientFacts()

    /// The facts of a client that states nothing about itself.
    package static let nothingSaid: ClientFacts = {
        var facts = ClientFacts()
        (facts.storefront, facts.locale, facts.platform) = (.notSaid, .notSaid, .notSaid)
        (facts.appVersion, facts.os, facts.tags, facts.client) = (.notSaid, .notSaid, .notSaid, .notSaid)
        return facts
    }()
}
