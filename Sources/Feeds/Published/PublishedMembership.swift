package import JSON
package import Layout
package import Values

/// That an item stands anywhere in a feed, or that a layout is used there: by it a client of that feed learns of what comes and goes without a
/// change of its own.
package struct PublishedMembership: Sendable, Equatable, JSONEncodable {
    package enum Member: Sendable, Equatable {
        case item(UUID)
        case layout(LayoutID)
    }

    package let member: Member

    package init(_ member: Member) { self.member = member }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            switch member {
            case .item(let id): json.member("item", id.description)
            case .layout(let id): json.member("layout", id)
            }
        }
    }
}
