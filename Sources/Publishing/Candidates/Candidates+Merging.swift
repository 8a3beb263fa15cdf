internal import Feeds
internal import Values

extension FoundCandidates {
    /// Returns the items that a request of the same order for fewer items needs: the first ones for clients that state no platform,
    /// and those for the clients of each platform. They do not depend on how many more items were read.
    func first(_ limit: Int, on platforms: some Sequence<String>) -> [Candidate] {
        let limit = min(limit, CandidateReader.maxCandidates)
        guard items.count > limit else { return items }
        var lists: [String: [Candidate]] = [:]
        for platform in platforms { lists[platform] = items.running(on: platform, limit: limit) }
        return Array(items.prefix(limit)).merged(with: lists)
    }
}

extension [Candidate] {
    /// Returns the items with the first items for the clients of some platforms, each in the order of the requested sort.
    ///
    /// These items are the first of the order, so all others come after them. The list of a platform is complete up to its
    /// last item. Its next item therefore comes next of all, unless it is also on another list and not the next one there. An
    /// order of titles needs no comparison of titles this way. The order of two items that run on no common platform is
    /// arbitrary.
    func merged(with lists: [String: [Candidate]]) -> [Candidate] {
        if lists.isEmpty { return self }
        var used = Set(lazy.map(\.facts.id))
        var merged = self
        var rests = lists.sorted { $0.key < $1.key }.map { platform, list in
            (platform: platform, items: list.filter { !used.contains($0.facts.id) }[...])
        }
        while true {
            for index in rests.indices {
                while let next = rests[index].items.first, used.contains(next.facts.id) { rests[index].items.removeFirst() }
            }
            let next = rests.compactMap(\.items.first)
            guard let first = next.first else { return merged }
            let free = next.first { item in
                rests.allSatisfy { rest in
                    guard let other = rest.items.first else { return true }
                    return other.facts.id == item.facts.id || !item.facts.runs(on: rest.platform)
                }
            }
            let item = free ?? first
            used.insert(item.facts.id)
            merged.append(item)
        }
    }
}
