internal import Items
internal import Resolve
internal import Values

extension FeedHealth {
    /// Clients, told apart by the platform that they state.
    struct Clients: Equatable {
        var platforms: Set<String> = []
        /// Whether the clients that state no platform are among them.
        var includesUnstated = false

        /// The platforms that the clients state. Clients without a platform have nil.
        fileprivate var statedPlatforms: [String?] { (includesUnstated ? [nil] : []) + platforms.sorted() }

        fileprivate mutating func insert(_ platform: String?) {
            if let platform { platforms.insert(platform) } else { includesUnstated = true }
        }
    }

    /// The clients that do not see a section, because it has fewer elements than its minimum.
    enum Shortage: Equatable {
        case everywhere
        /// Some of the clients that the section is for, never none.
        case partial(Clients)
    }

    /// The sections that some clients do not see for lack of items, as the review counts them.
    var shortages: [SectionKey: Shortage] {
        var shortages: [SectionKey: Shortage] = [:]
        let clientsWithout = clientsWithFewItems
        for section in document.sections where sections.contains(section.key) {
            if parts[.shelf(section.key)]?.isEmpty ?? true {
                shortages[section.key] = .everywhere
            } else if let without = clientsWithout[section.key] {
                // Which sections above a client sees depends on its platform, so that one without a platform can see fewest items.
                shortages[section.key] = without == clients(of: section) ? .everywhere : .partial(without)
            }
        }
        return shortages
    }

    /// Returns the served platforms whose clients can see a section or a pin.
    func servedPlatforms(_ section: FeedSection, _ pin: Pin? = nil) -> [String] {
        let targets = [section.target, pin?.target].compactMap(\.self)
        return platforms.served.filter { platform in
            targets.allSatisfy { $0.platforms.isEmpty || $0.platforms.contains(platform) }
        }
    }

    /// Returns the clients that a section is for. A section for some platforms is not for clients that state none.
    private func clients(of section: FeedSection) -> Clients {
        Clients(platforms: Set(servedPlatforms(section)), includesUnstated: section.target?.platforms.isEmpty ?? true)
    }

    /// The clients for which a section has some elements, but fewer than its minimum. Most shelves surely have enough, so that the
    /// page is resolved only for the few sections of which the sections above decide it.
    private var clientsWithFewItems: [SectionKey: Clients] {
        var few: [SectionKey: Clients] = [:]
        var undecided: [String?: Set<SectionKey>] = [:]
        for section in document.sections where sections.contains(section.key) && section.minItems > 0 {
            guard let shelf = parts[.shelf(section.key)], !shelf.isEmpty else { continue }
            let without = Set(section.without).intersection(sections)
            let above = without.isEmpty ? [] : document.sections.filter { without.contains($0.key) }
            // Pins that only some clients see do not replace the items of a rule.
            let hasAllPins = section.rule == nil
            for platform in clients(of: section).statedPlatforms {
                guard shelf.hasElements(section.minItems, on: platform, withTargets: hasAllPins) else {
                    few[section.key, default: Clients()].insert(platform)
                    continue
                }
                let shown = above.reduce(0) { $0 + (parts[.shelf($1.key)]?.visibleItemCount(upTo: $1.size, on: platform) ?? 0) }
                if shown > 0, !shelf.hasElements(section.minItems + shown, on: platform, withTargets: hasAllPins) {
                    undecided[platform, default: []].insert(section.key)
                }
            }
        }
        if !undecided.isEmpty { resolve(undecided, into: &few) }
        return few
    }

    /// Adds the clients for which the page leaves too few elements to undecided sections, which are given by platform.
    private func resolve(_ undecided: [String?: Set<SectionKey>], into few: inout [SectionKey: Clients]) {
        let keys = undecided.values.reduce(into: Set<SectionKey>()) { $0.formUnion($1) }
        var shelves: [SectionPart: ComposedItems] = [:]
        for key in document.required(for: keys) { shelves[.shelf(key)] = parts[.shelf(key)] }
        let platforms = Array(undecided.keys)
        let counts = document.elementCounts(of: shelves, in: storefront, on: platforms, only: keys, registry)
        for (platform, counts) in zip(platforms, counts) {
            guard let keys = undecided[platform] else { continue }
            for section in document.sections where keys.contains(section.key) && counts[section.key] ?? 0 < section.minItems {
                few[section.key, default: Clients()].insert(platform)
            }
        }
    }
}
