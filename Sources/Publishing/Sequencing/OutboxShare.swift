/// The transactions of the outbox that one drain publishes.
///
/// A transaction is published as a whole. The oldest one is always in, whatever its size, so every transaction has its turn. The smallest of the
/// others follow as far as they fit: a curator's edit does not wait for an import that is ahead of it.
struct OutboxShare: Equatable {
    struct Waiting {
        let transaction: String
        /// Ids and keys.
        let changes: Int
    }

    /// Nil for all that wait.
    let transactions: [String]?
    let changes: Int

    /// Whether nothing that was committed is left.
    var isEverything: Bool { transactions == nil }

    /// Chooses of what waits, the oldest first, so that all but the oldest have no more changes than `maxChanges`.
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
