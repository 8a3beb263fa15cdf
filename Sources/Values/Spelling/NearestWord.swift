extension String {
    /// Returns the candidate most similar to this misspelled word, or nil if none is near.
    ///
    /// A candidate is near within edits of a third of the word's length, at least one and at most three. An edit is an
    /// insertion, a removal, a replacement or a swap of adjacent bytes. It compares bytes, so hostile Unicode costs no
    /// more than plain text. Words over 64 bytes are never near.
    package func nearest(among candidates: some Sequence<String>) -> String? {
        let word = Array(utf8)
        guard !word.isEmpty, word.count <= 64 else { return nil }
        let limit = min(3, max(1, word.count / 3))
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let other = Array(candidate.utf8)
            guard abs(other.count - word.count) <= limit else { continue }
            guard let distance = editDistance(word, other, limit: limit) else { continue }
            if distance < (best?.distance ?? .max) { best = (candidate, distance) }
        }
        return best?.candidate
    }
}

/// Returns the optimal string alignment distance, or nil if it is above the limit, in O(a × b) time and three rows of memory.
private func editDistance(_ a: [UInt8], _ b: [UInt8], limit: Int) -> Int? {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in 0..<a.count {
        var current = [i + 1]
        for j in 0..<b.count {
            var cost = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforePrevious[j - 1] + 1) }
            current.append(cost)
        }
        // Each distance is at least one of the two rows before it.
        guard current.contains(where: { $0 <= limit }) || previous.contains(where: { $0 <= limit }) else { return nil }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[b.count] <= limit ? previous[b.count] : nil
}
