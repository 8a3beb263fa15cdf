internal import JSON

/// What an item is, as documents and the database name it.
package enum ItemKind: String, Sendable, Hashable, CaseIterable, JSONDecodable, JSONEncodable {
    case topApp, foodApp
}
