package import Items
package import Resolve
package import Values

extension FeedDocument {
    /// Returns for each platform the smallest number of elements in a locale that a client of a storefront sees in each section, or
    /// only in some, with all pins that are not for other platforms. In a section with a rule, pins for some clients of a platform do
    /// not count. A nil platform is for clients that state none. The section leaves out the items that a client sees above that
    /// states nothing but its platform.
    package func elementCounts(
        of parts: [SectionPart: ComposedItems], in storefront: Storefront, on platforms: [String?], only keys: Set<SectionKey>? = nil,
        _ registry: ExperimentRegistry
    ) -> [[SectionKey: Int]] {
        let counted = sections(in: storefront.key).filter { keys?.contains($0.key) ?? true }
        let ids = Set(counted.map { id(of: $0.key) })
        let ruled = Set(counted.filter { $0.rule != nil }.map { id(of: $0.key) })
        let isByLocale = parts.values.contains { $0.orders.keys.contains { $0 != nil } }
        // Only rotations have an order for each platform.
        let turns = parts.values.contains { !$0.platformOrders.isEmpty }
        var fewest = platforms.map { _ in [SectionKey: Int]() }
        for locale in isByLocale ? storefront.locales : [storefront.defaultLocale] {
            var edition = edition(of: parts, in: locale, registry)
            for (index, platform) in platforms.enumerated() {
                var facts = ClientFacts.nothingSaid(in: storefront.key, locale)
                facts.platform = Fact(platform)
                if turns { edition = self.edition(of: parts, in: locale, on: platform, registry) }
                let counts = edition.counts(for: facts, in: ids, withRules: ruled)
                for section in counted {
                    let count = counts[id(of: section.key)] ?? 0
                    fewest[index][section.key] = min(fewest[index][section.key] ?? .max, count)
                }
            }
        }
        return fewest
    }
}

extension ComposedItems {
    /// Whether a client of a platform sees at least this number of elements of a shelf in each order, if it leaves no item out. It
    /// sees all pins that are not for other platforms, or only those without another condition. A nil platform is for clients that
    /// state none.
    func hasElements(_ minimum: Int, on platform: String?, withTargets: Bool = true) -> Bool {
        var pinned: Set<UUID> = []
        var missing = minimum
        for pin in pins {
            if let target = pin.target {
                guard target.isFor(platform: platform) else { continue }
                if !withTargets, !target.hasOnlyPlatforms { continue }
            }
            if let item = pin.item, !isVisible(item, on: platform) || !pinned.insert(item).inserted { continue }
            missing -= 1
        }
        if missing <= 0 { return true }
        let orders = orders(on: platform)
        return !orders.isEmpty
            && orders.allSatisfy { order in
                var missing = missing
                for item in order where !pinned.contains(item) && isVisible(item, on: platform) {
                    missing -= 1
                    if missing == 0 { return true }
                }
                return false
            }
    }

    /// Returns the number of items that a client of a platform can see, up to a maximum.
    func visibleItemCount(upTo maximum: Int, on platform: String?) -> Int {
        guard let platform else { return min(maximum, placements.count) }
        var count = 0
        for placement in placements.values where placement.platforms?.contains(platform) ?? true {
            if count == maximum { break }
            count += 1
        }
        return count
    }

    private func orders(on platform: String?) -> [[UUID]] {
        if let platform, !platformOrders.isEmpty { return [platformOrders[platform] ?? []] }
        return Array(orders.values)
    }

    private func isVisible(_ item: UUID, on platform: String?) -> Bool {
        guard let platform, let platforms = placements[item]?.platforms else { return true }
        return platforms.contains(platform)
    }
}

extension Target {
    /// Whether no condition on platforms excludes the clients of a platform, or those that state none.
    fileprivate func isFor(platform: String?) -> Bool {
        let platforms = platforms
        if platforms.isEmpty { return true }
        guard let platform else { return false }
        return platforms.contains(platform)
    }

    fileprivate var hasOnlyPlatforms: Bool { conditions.count == 1 && !platforms.isEmpty }

    /// The condition on platforms alone, or nil if no condition is on platforms.
    fileprivate var ofPlatforms: Target? { platforms.isEmpty ? nil : Target([.platforms(platforms)]) }
}

extension ClientFacts {
    /// Returns the facts of a client that states nothing but its storefront and its locale.
    package static func nothingSaid(in storefront: String, _ locale: LocaleTag) -> ClientFacts {
        var facts = ClientFacts.nothingSaid
        facts.storefront = .said(storefront)
        facts.locale = .said(locale.fallbacks.map(\.text))
        return facts
    }
}

extension Edition {
    /// Returns the number of elements that a client would see in each section, or only in some, with all pins that are not for
    /// other platforms, whatever its target and its minimum. In the sections with rules, other conditions of pins must hold. The
    /// sections above are those that the client sees. All facts must be known.
    package func counts(for facts: ClientFacts, in ids: Set<String>? = nil, withRules ruled: Set<String> = []) -> [String: Int] {
        let arms = arms(of: facts.client)
        var shown = resolve(self, facts).sections[...]
        var above: [ResolvableSection] = []
        var counts: [String: Int] = [:]
        for section in sections {
            if ids?.contains(section.id) ?? true {
                var whole = section.withoutMinimum
                whole.target = nil
                for pin in whole.placements.indices {
                    guard let target = whole.placements[pin].pin?.target else { continue }
                    if ruled.contains(section.id), !target.hasOnlyPlatforms { continue }
                    whole.placements[pin].pin?.target = target.ofPlatforms
                }
                counts[section.id] = whole.fill(facts, arms, below: above)?.placements.count ?? 0
            }
            if shown.first?.id == section.id { above.append(shown.removeFirst()) }
        }
        return counts
    }
}

extension ResolvableSection {
    /// The section without a minimum, so that it is shown if it has one element.
    package var withoutMinimum: Self {
        guard let fill else { return self }
        var section = self
        section.fill = Fill(size: fill.size, minItems: 0, without: fill.without)
        return section
    }
}
