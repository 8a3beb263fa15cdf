package import JSON
package import Values

/// When an item is in a storefront.
package struct ItemAvailability: Sendable, Equatable {
    /// From a moment until before another; nil has no bound.
    package struct Window: Sendable, Equatable {
        package let from: Timestamp?
        package let until: Timestamp?
    }

    package let storefront: String
    /// In their order, none touching the next.
    package let windows: [Window]
}

struct ItemAvailabilities: JSONDecodable, JSONEncodable {
    let list: [ItemAvailability]

    init(list: [ItemAvailability]) { self.list = list }

    init(from json: JSONReader) throws(JSONReadError) {
        let members: [(storefront: String, Windows)] = try json.byStorefront()
        list = members.map { ItemAvailability(storefront: $0.storefront, windows: $0.1.windows) }
            .sorted { $0.storefront.utf8.lexicographicallyPrecedes($1.storefront.utf8) }
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            for availability in list {
                json.key(availability.storefront)
                json.array { json in
                    for window in availability.windows {
                        json.object {
                            $0.member("from", window.from?.description)
                            $0.member("until", window.until?.description)
                        }
                    }
                }
            }
        }
    }
}

private struct Windows: JSONDecodable {
    let windows: [ItemAvailability.Window]

    init(from json: JSONReader) throws(JSONReadError) {
        let windows = try json.decode(as: [ItemAvailability.Window].self, .count(1...1_000))
            .sorted { ($0.from ?? .earliest, $0.until ?? .latest) < ($1.from ?? .earliest, $1.until ?? .latest) }
        var merged: [ItemAvailability.Window] = []
        for window in windows {
            guard let last = merged.last else {
                merged.append(window)
                continue
            }
            guard let end = last.until, let start = window.from, start >= end else {
                throw json.refuse(.twice, "two of the times overlap")
            }
            if start == end { merged[merged.count - 1] = .init(from: last.from, until: window.until) } else { merged.append(window) }
        }
        self.windows = merged
    }
}

extension ItemAvailability.Window: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let from = object.optional("from", as: Timestamp.self)
        let until = object.optional("until", as: Timestamp.self)
        try object.finish()
        if let from, let until, from >= until { throw object.refuse(.outOfRange, at: "until", "it ends before it begins") }
        self.from = from
        self.until = until
    }
}
