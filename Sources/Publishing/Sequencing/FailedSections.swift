internal import Feeds
internal import Values

/// The sections whose publication has failed with an error that ends the session of the leader. They outlive the session, so that the
/// next one publishes everything else.
///
/// If a drain of several sections fails, all of them are suspects. Later drains omit the suspects, except one at a time. A section
/// with which alone a drain fails keeps its published items until its revision changes, or until a pause is over, which doubles
/// after each attempt.
package struct FailedSections: Sendable {
    typealias Section = DueSections.Section

    struct Failure {
        /// The revision whose section has failed.
        let revision: Int?
        /// The pause until the next attempt.
        let pause: Duration
        let until: Timestamp
        var isReported = false
    }

    private static let shortestPause = Duration.seconds(60)
    private static let longestPause = Duration.seconds(3_600)

    /// The sections of which one has failed, or that are tried again.
    private(set) var suspects: [Section] = []
    private(set) var failures: [Section: Failure] = [:]

    package init() {}

    /// The time of the next attempt, or nil if none is planned.
    var nextAttempt: Timestamp? { failures.filter { !suspects.contains($0.key) }.values.map(\.until).min() }

    /// The sections of a feed that drains omit.
    func omitted(in storefrontFeed: StorefrontFeed) -> Set<SectionKey> {
        if suspects.isEmpty && failures.isEmpty { return [] }
        return Set((suspects + failures.keys).filter { $0.storefrontFeed == storefrontFeed }.map(\.key))
    }

    /// Suspects the failed sections whose pause is over, or whose feed has another revision.
    mutating func retry(at time: Timestamp, _ revision: (StorefrontFeed) -> Int?) {
        for (section, failure) in failures where !suspects.contains(section) {
            if failure.until <= time || failure.revision != revision(section.storefrontFeed) { suspects.append(section) }
        }
    }

    /// Forgets the sections that no longer exist.
    mutating func keep(where exists: (Section) -> Bool) {
        suspects.removeAll { !exists($0) }
        failures = failures.filter { exists($0.key) }
    }

    /// Records that a drain could not publish these sections of revisions.
    mutating func noteFailure(
        of composed: [StorefrontFeed: Set<SectionKey>], at time: Timestamp, _ revision: (StorefrontFeed) -> Int?
    ) {
        let sections = composed.flatMap { storefrontFeed, keys in keys.map { Section(storefrontFeed: storefrontFeed, key: $0) } }
        guard sections.count == 1 else {
            suspects += sections.filter { !suspects.contains($0) }.sorted {
                ($0.name, $0.storefrontFeed.storefront) < ($1.name, $1.storefrontFeed.storefront)
            }
            return
        }
        for section in sections {
            let before = failures[section]
            let pause = before.map { min($0.pause * 2, Self.longestPause) } ?? Self.shortestPause
            suspects.removeAll { $0 == section }
            failures[section] = Failure(
                revision: revision(section.storefrontFeed), pause: pause, until: time.advanced(by: pause),
                isReported: before?.isReported ?? false)
        }
    }

    /// Records that a drain has published these sections. Returns the warnings about sections that have failed since the last report,
    /// and about those that no longer do.
    mutating func noteSuccess(of composed: [StorefrontFeed: Set<SectionKey>]) -> [SequencerWarning] {
        var warnings: [SequencerWarning] = []
        for section in suspects + failures.keys where composed[section.storefrontFeed]?.contains(section.key) == true {
            suspects.removeAll { $0 == section }
            guard failures.removeValue(forKey: section)?.isReported == true else { continue }
            warnings.append(.recovered(section: section.name, storefront: section.storefrontFeed.storefront))
        }
        for section in failures.keys.sorted(by: { $0.name < $1.name }) where failures[section]?.isReported == false {
            failures[section]?.isReported = true
            warnings.append(.failed(section: section.name, storefront: section.storefrontFeed.storefront))
        }
        return warnings
    }
}

extension DueSections.Section {
    fileprivate var name: String { "\(storefrontFeed.feed)/\(key)" }
}
