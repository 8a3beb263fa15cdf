/// The outcome of an import.
package struct ImportOutcome: Sendable {
    /// The failure of an import whose session was lost.
    package static let interrupted = "interrupted"

    /// The reason why the import ended early, or nil if it is complete.
    package var failure: String?
    /// The final counts, or nil if only the recorded progress is known.
    package var counts: ImportCounts?
    package var bytesRead = 0
    /// The SHA-256 of the file, if the import is complete.
    package var hash: [UInt8]?
    package var rejects: [Reject] = []

    package init(failure: String? = nil, counts: ImportCounts? = nil) {
        self.failure = failure
        self.counts = counts
    }
}
