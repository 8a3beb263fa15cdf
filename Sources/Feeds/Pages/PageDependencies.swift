package import Layout
internal import Resolve

/// The properties of clients that decide about a page: the targets of its sections and pins, its experiments, and the
/// capabilities that its layouts need.
///
/// Clients for which all targets hold alike, and which have the same arms, get the same page. A property that no target asks about
/// is not even read.
package struct PageDependencies: Sendable {
    /// The facts that a client states about itself.
    package struct StatedFacts: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let platform = StatedFacts(rawValue: 1)
        package static let appVersion = StatedFacts(rawValue: 2)
        package static let os = StatedFacts(rawValue: 4)
        package static let tags = StatedFacts(rawValue: 8)
        package static let client = StatedFacts(rawValue: 16)
        package static let all: StatedFacts = [.platform, .appVersion, .os, .tags, .client]
    }

    /// The different targets of the sections and of their pins.
    let targets: [Target]
    /// The experiments of the page, without its sections.
    let experiments: Edition
    /// The capabilities that the layouts of the page need, if clients state theirs.
    let capabilities: Set<Capability>
    /// The platform, which decides about the items, and the facts about which a target asks.
    package let facts: StatedFacts

    /// The approximate size in memory, in bytes, without that which the snapshot keeps.
    package var bytes: Int {
        MemoryLayout<Self>.size + targets.count * MemoryLayout<Target>.stride
            + (experiments.experiments.count + capabilities.count) * Self.bytesOfEntry
    }

    /// The size of an entry in a hash table.
    private static let bytesOfEntry = 128

    /// Finds the dependencies of a page. `table` has its layouts, or is nil if no client states its capabilities.
    package init(of snapshot: FeedSnapshot, _ table: LayoutTable?) {
        let registry = snapshot.feed.registry
        var known: Set<Target> = []
        targets = snapshot.targets.filter { known.insert($0).inserted }
        experiments = Edition(sections: [], experiments: registry.assignments, holdout: registry.holdout)
        capabilities = table.map { snapshot.needs($0) } ?? []
        var facts: StatedFacts = .platform
        for target in targets {
            for condition in target.conditions {
                switch condition {
                case .appVersion: facts.insert(.appVersion)
                case .os: facts.insert(.os)
                case .tags: facts.insert(.tags)
                case .storefronts, .locales, .platforms, .experiment, .unreadable: continue
                }
            }
        }
        // The page has the arms of its client. Before and after an experiment, all clients have the same one.
        for experiment in registry.experiments.values where experiment.state == .running { facts.insert(.client) }
        self.facts = facts
    }
}

extension FeedSnapshot {
    /// Returns the capabilities that a client needs for every layout without fallbacks.
    fileprivate func needs(_ table: LayoutTable) -> Set<Capability> {
        sections.reduce(into: []) { needs, section in
            for id in section.published.layouts { needs.formUnion(table.known(id)?.needs ?? []) }
        }
    }
}

extension PublishedSection {
    /// All referenced layouts, without their fallbacks.
    var layouts: [LayoutID] {
        [arrangement, seeAll?.arrangement].compactMap(\.self).flatMap(\.layouts)
    }
}
