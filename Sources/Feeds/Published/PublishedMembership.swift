package import JSON
package import Postgres

/// That an item stands anywhere in a feed: by it a client of that feed learns of items that come and go.
package struct PublishedMembership: Sendable, Equatable, JSONEncodable {
    package let item: UUID

    package func encode(to json: inout JSONWriter) {
        json.object { $0.member("item", item.description) }
    }
}
