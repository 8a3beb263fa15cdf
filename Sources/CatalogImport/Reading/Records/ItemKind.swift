internal import JSON

/// The two kinds of items, as the catalog and its files call them.
package enum ItemKind: String, CaseIterable, Sendable, JSONDecodable, JSONEncodable {
    case topApp, foodApp
}
