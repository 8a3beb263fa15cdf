/// The platforms that clients can have.
package struct ClientPlatforms: Sendable, Equatable {
    /// The keys of all platforms, sorted.
    package let all: [String]
    /// The keys of the platforms for whose clients the composer selects enough items, sorted.
    package let served: [String]

    package init(all: [String] = [], served: [String] = []) {
        self.all = all.sorted()
        self.served = served.sorted()
    }

    /// Returns the platforms whose clients can run an item, or nil if all of them can. Never empty.
    package func platforms(of item: ItemFacts) -> Set<String>? {
        let own = Set(all.filter(item.runs))
        return own.isEmpty || own.count == all.count ? nil : own
    }
}

extension ItemFacts {
    /// Whether a client on the platform can run the item. Every client can run an item whose platforms the index does not have
    /// yet.
    package func runs(on platform: String) -> Bool {
        facets.contains(Rule.facet(ofClientsOn: platform)) || !facets.contains { $0.utf8.starts(with: "on:".utf8) }
    }
}

extension Rule {
    /// Returns the facet of the items that a client on a platform can run.
    package static func facet(ofClientsOn platform: String) -> String { "on:\(platform)" }
}
