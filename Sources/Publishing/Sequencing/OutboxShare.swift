/// The transactions of the outbox that one drain publishes.
///
/// A transaction is published as a whole. The oldest one is always included, whatever its size, so that every
/// transaction gets its turn. The smallest of the others follow until the share is full. An edit of a curator therefore
/// does not wait for an earlier import.
struct OutboxShare: Equatable {
    struct Waiting {
        let transaction: String
        /// The number of IDs and keys.
        let changes: Int
    }

    /// The transactions, or nil if the share includes all waiting ones.
    let transactions: [String]?
    let changes: Int

    /// Whether the share includes everything that was committed.
    var isEverything: Bool { transactions == nil }

    /// Chooses from the waiting transactions, the oldest first. All except the oldest have at most `maxChanges` changes
    /// together.
    init(of waiting: [Waiting], maxChanges: Int) {
        let total = waiting.reduce(0) { $0 + $1.changes }
        guard let oldest = waiting.first, waiting.count > 1, total > maxChanges else {
            transactions = nil
            changes = total
            return
        }
        var taken = [oldest.transaction]
        var sum = 0
        for (_, next) in waiting.enumerated().dropFirst().sorted(by: { ($0.element.changes, $0.offset) < ($1.element.changes, $1.offset) })
        {
            guard next.changes <= maxChanges - sum else { break }
            taken.append(next.transaction)
            sum += next.changes
        }
        transactions = taken.count == waiting.count ? nil : taken
        changes = oldest.changes + sum
    }
}
