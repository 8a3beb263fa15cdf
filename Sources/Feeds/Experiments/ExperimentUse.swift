/// An arm of an experiment that a live or scheduled revision of a feed names.
package struct ExperimentUse: Sendable, Hashable {
    package let feed: String
    package let arm: String

    package init(feed: String, arm: String) {
        self.feed = feed
        self.arm = arm
    }
}

extension [ExperimentUse] {
    /// The feeds, in order and without repetitions.
    package var feeds: [String] { Set(map(\.feed)).sorted() }
}
