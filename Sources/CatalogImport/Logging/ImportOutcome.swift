/// How an import ended.
package struct ImportOutcome: Sendable {
    /// Of one whose session was lost.
    package static let interrupted = "interrupted"

    /// Why early; nil of a whole one.
    package var failure: String?
    /// Nil where nothing is known but what its transactions have noted.
    package var counts: ImportCounts?
    package var bytesRead = 0
    /// SHA-256, of a whole one.
    package var hash: [UInt8]?
    package var rejects: [Reject] = []

    package init(failure: String? = nil, counts: ImportCounts? = nil) {
        self.failure = failure
        self.counts = counts
    }
}
