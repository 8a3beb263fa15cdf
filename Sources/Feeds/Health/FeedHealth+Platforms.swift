internal import Items
internal import Resolve
internal import Values

extension FeedHealth {
    /// The clients that do not see a section, because it has fewer elements than its minimum.
    enum Shortage: Equatable {
        case everywhere
        /// The clients of these served platforms, and not all others.
        case platforms([String])
    }

    /// The sections that some clients do not see for lack of items, as the review counts them.
    var shortages: [SectionKey: Shortage] {
        var shortages: [SectionKey: Shortage] = [:]
        let few = sectionsWithFewItems
        for section in document.sections where sections.contains(section.key) {
            if isShort(section) {
                shortages[section.key] = .everywhere
                continue
            }
            guard let few = few[section.key] else { continue }
            let served = servedPlatforms(section)
            let without = served.filter(few.platforms.contains)
            // A section for some platforms is not for clients that state none.
            let isForPlatforms = !served.isEmpty && section.target?.platforms.isEmpty == false
            if isForPlatforms ? without == served : few.includesUnstated {
                shortages[section.key] = .everywhere
            } else if !without.isEmpty {
                shortages[section.key] = .platforms(without)
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

    /// Whether the composer counts fewer elements than the minimum. It counts for a client that leaves out no item.
    private func isShort(_ section: FeedSection) -> Bool {
        guard let shelf = parts[.shelf(section.key)], !shelf.isEmpty else { return true }
        let counts = shelf.counts(upTo: section.size, withTargets: section.rule == nil).values
        return (counts.min() ?? shelf.pins.count) < section.minItems
    }

    /// The clients for which a section has fewer elements than its minimum.
    private struct Few {
        /// Whether it is so for the clients that state no platform.
        var includesUnstated = false
        var platforms: Set<String> = []

        mutating func insert(_ platform: String?) {
            if let platform { platforms.insert(platform) } else { includesUnstated = true }
        }
    }

    /// The sections that have fewer elements than their minimum for clients without a platform or on a served one. Most shelves
    /// surely have enough, so that the page is resolved only for the few sections of which the sections above decide it.
    private var sectionsWithFewItems: [SectionKey: Few] {
        var few: [SectionKey: Few] = [:]
        var undecided: [String?: [FeedSection]] = [:]
        for section in document.sections where sections.contains(section.key) && section.minItems > 0 {
            guard let shelf = parts[.shelf(section.key)] else { continue }
            let without = section.without
            let above = document.sections.filter { without.contains($0.key) }.map(\.size).reduce(0, +)
            for platform in [nil] + platforms.served {
                if shelf.hasElements(section.minItems + above, on: platform) { continue }
                if above == 0 || !shelf.hasElements(section.minItems, on: platform) {
                    few[section.key, default: Few()].insert(platform)
                } else {
                    undecided[platform, default: []].append(section)
                }
            }
        }
        if undecided.isEmpty { return few }
        let platforms = Array(undecided.keys)
        for (platform, counts) in zip(platforms, document.elementCounts(of: parts, in: storefront, on: platforms, registry)) {
            for section in undecided[platform] ?? [] where counts[section.key] ?? 0 < section.minItems {
                few[section.key, default: Few()].insert(platform)
            }
        }
        return few
    }
}
