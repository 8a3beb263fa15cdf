/// How far is published, and in which history: two of one version are the same only where they are of one epoch.
package struct PublishedHead: Sendable, Hashable {
    /// The nonce of the epoch; nil before there is one.
    package let epoch: Int?
    package let version: Int

    package init(epoch: Int?, version: Int) {
        self.epoch = epoch
        self.version = version
    }

    /// Whether there is something to see for one who has seen another one.
    package func isNews(behind seen: PublishedHead) -> Bool { epoch != seen.epoch || version > seen.version }
}
