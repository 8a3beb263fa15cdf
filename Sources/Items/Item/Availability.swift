package import JSON
package import Values

/// The storefronts and times in which an item is available.
package enum Availability: Sendable, Equatable {
    case everywhere
    /// Available only in these storefronts, sorted by key.
    case within([StorefrontWindows])

    /// The windows of an item in one storefront, in order of time. No two of them touch.
    package struct StorefrontWindows: Sendable, Equatable {
        package let storefront: String
        package let windows: [Window]
    }

    /// A half-open interval of time. A bound is nil if that side is open.
    package struct Window: Sendable, Equatable {
        package let from: Timestamp?
        package let until: Timestamp?
    }

    package func isAvailable(in storefront: String, at time: Timestamp) -> Bool {
        windows(in: storefront).contains { ($0.from ?? .earliest) <= time && $0.until.map { time < $0 } ?? true }
    }

    /// Returns the next time at which the item becomes available or unavailable.
    package func nextChange(in storefront: String, after time: Timestamp) -> Timestamp? {
        windows(in: storefront).flatMap { [$0.from, $0.until] }.compactMap(\.self).filter { $0 > time }.min()
    }

    private func windows(in storefront: String) -> [Window] {
        guard case .within(let storefronts) = self else { return [Window(from: nil, until: nil)] }
        return storefronts.first { $0.storefront == storefront }?.windows ?? []
    }
}

extension Availability: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let members = try json.decode(as: ByStorefront<Windows>.self).list
        var storefronts: [StorefrontWindows] = []
        storefronts.reserveCapacity(members.count)
        for member in members { storefronts.append(StorefrontWindows(storefront: member.storefront, windows: member.value.windows)) }
        if storefronts.count > 1 { storefronts.sort { $0.storefront.utf8.span.precedes($1.storefront.utf8.span) } }
        self = .within(storefronts)
    }

    /// Encodes the availability. An item that is available everywhere has no such field.
    package func encode(to json: inout JSONWriter) {
        guard case .within(let storefronts) = self else { return json.null() }
        json.object { json in
            for storefront in storefronts {
                json.key(storefront.storefront)
                json.array { json in
                    for window in storefront.windows {
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
    private static let counts = 1...1_000

    let windows: [Availability.Window]

    init(from json: JSONReader) throws(JSONReadError) {
        var windows = try json.decode(as: [Availability.Window].self)
        guard !json.isStrict || Self.counts.contains(windows.count) else { throw json.refuseCount(Self.counts) }
        guard windows.count > 1 else {
            self.windows = windows
            return
        }
        windows.sort { ($0.from ?? .earliest, $0.until ?? .latest) < ($1.from ?? .earliest, $1.until ?? .latest) }
        var merged: [Availability.Window] = []
        for window in windows {
            guard let last = merged.last else {
                merged.append(window)
                continue
            }
            guard let end = last.until, let start = window.from, start >= end else {
                throw json.refuse(.duplicate, "the periods overlap")
            }
            if start == end { merged[merged.count - 1] = .init(from: last.from, until: window.until) } else { merged.append(window) }
        }
        self.windows = merged
    }
}

extension Availability.Window: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        // Without its bound, a window would be open-ended.
        let from = object.essential("from", default: Timestamp?.none)
        let until = object.essential("until", default: Timestamp?.none)
        try object.finish()
        if let from, let until, from >= until { throw object.refuse(.outOfRange, at: "until", "expected a time after that of \"from\"") }
        self.from = from
        self.until = until
    }
}
