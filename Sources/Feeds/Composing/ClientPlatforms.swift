/// The platforms that clients can have.
package struct ClientPlatforms: Sendable, Equatable {
    /// The keys of all platforms, sorted.
    package let all: [String]
    /// The keys of the platforms for whose clients the composer selects enough items, sorted.
    package let served: [String]
    /// The facets of the items that a client on each platform can run, in the order of `all`.
    private let facets: [String]

    package init(all: [String] = [], served: [String] = []) {
        self.all = all.sorted()
        self.served = served.sorted()
        facets = self.all.map(Rule.facet(ofClientsOn:))
    }

    /// Returns the platforms whose clients can run an item, or nil if all of them can. Never empty.
    package func platforms(of item: ItemFacts) -> Set<String>? {
        var own: Set<String> = []
        for (platform, facet) in zip(all, facets) where item.facets.contains(facet) { own.insert(platform) }
        return own.isEmpty || own.count == all.count ? nil : own
    }
}

extension ItemFacts {
    /// Whether a client on the platform can run the item. Every client can run an item whose platforms the index does not have
    /// yet.
    package func runs(on platform: String) -> Bool { runs(onPlatformOf: Rule.facet(ofClientsOn: platform)) }

    fileprivate func runs(onPlatformOf facet: String) -> Bool {
        facets.contains(facet) || !facets.contains { $0.utf8.starts(with: "on:".utf8) }
    }
}

extension [Candidate] {
    /// Returns the first candidates that a client on the platform can run. Default: all of them.
    package func running(on platform: String, limit: Int = .max) -> [Candidate] {
        let facet = Rule.facet(ofClientsOn: platform)
        return Array(lazy.filter { $0.facts.runs(onPlatformOf: facet) }.prefix(limit))
    }
}

extension Rule {
    /// Returns the facet of the items that a client on a platform can run.
    package static func facet(ofClientsOn platform: String) -> String { "on:\(platform)" }
}
