/// How far is published, and in which history: two of one version are the same only where they are of one epoch.
package struct PublishedHead: Sendable, Hashable {
    /// The nonce of the epoch; nil before there is one.
    package let epoch: Int?
    package let version: Int
    /// Whether nothing waits to be published that was committed before.
    package let isComplete: Bool

    package init(epoch: Int?, version: Int, isComplete: Bool = true) {
        self.epoch = epoch
        self.version = version
        self.isComplete = isComplete
    }

    /// Whether there is something to see for one who has seen another one.
    package func isNews(behind seen: PublishedHead) -> Bool {
        epoch != seen.epoch || version > seen.version || version == seen.version && isComplete && !seen.isComplete
    }
}
