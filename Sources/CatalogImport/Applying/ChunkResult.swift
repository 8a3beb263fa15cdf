/// The result of writing one chunk.
struct ChunkResult: Sendable {
    var counts = ImportCounts()
    /// The rejects, as one list for each record that was not imported.
    var rejects: [[Reject]] = []
    /// Whether the rest was not tried because the database rejected too many records.
    var isCutShort = false

    /// Rejects one record for one reason.
    mutating func reject(_ reject: Reject) { self.reject([reject]) }

    /// Rejects one record for all of its reasons.
    mutating func reject(_ rejects: [Reject]) {
        self.rejects.append(rejects)
        counts.rejected += 1
    }

    mutating func count(_ outcome: VocabularyWriter.Outcome) {
        switch outcome {
        case .new: counts.new += 1
        case .changed: counts.changed += 1
        case .unchanged: counts.unchanged += 1
        }
    }
}
