/// What an import tells while it runs.
package enum ImportEvent {
    /// A chunk was written; one that is part of a larger transaction may still be taken back.
    case written(ImportCounts, FileChunk, rejects: [[Reject]])
    /// All of this is committed, and stays whatever happens.
    case kept(ImportCounts)
    /// The file has been read, and something is done to the catalog as a whole, which takes its time.
    case phase(ImportPhase)
}

package enum ImportPhase: String, Sendable, CaseIterable {
    case makingKeys = "making keys"
    case settling = "checking and listing the items"
}
