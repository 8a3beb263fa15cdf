/// A synthetic catalog of any size for measurements. Each record follows from the seed and its position.
///
/// The same seed makes the same bytes everywhere. Sources and slugs contain the seed and the position, so that catalogs
/// of two seeds fit into one database. The database assigns serial numbers.
///
/// The distributions follow real stores: few categories, developers and cuisines have most items, and most apps are free. The
/// number of ratings is inversely proportional to the rank, so that 60 % of the items have none, 20 % have one, and one in 2,500
/// has a thousand. Each of 64 frequent words is in 3 to 6 % of the English titles. A third of the titles also has one of
/// 8,192 names, by Zipf's law: the most frequent name is in 2.5 % of the titles, and most are in a few of a million.
package struct SyntheticCatalog: Sequence, Sendable {
    package let count: Int
    package let seed: UInt64
    private let maker: SyntheticItem

    package init(count: Int, seed: UInt64) {
        self.count = count
        self.seed = seed
        maker = SyntheticItem(seed: seed, sample: SampleStorefronts())
    }

    /// The storefronts and categories that the items need, as lines of a catalog file.
    package var preamble: [UInt8] { maker.sample.lines }

    /// The charts of the storefronts, as lines that follow the items. Each has the first items of a kind, in an order
    /// that follows from the seed.
    package var charts: [UInt8] {
        var lines = JSONLineBuilder()
        for (index, storefront) in maker.sample.storefronts.enumerated() {
            for (name, isTopApp) in [("top-free", true), ("top-food", false)] {
                var items = (0..<Swift.min(count, 1_000)).compactMap { maker.reference(at: $0, isTopApp: isTopApp) }
                guard !items.isEmpty else { continue }
                var chance = SeededGenerator(seed: seed, stream: UInt64.max - UInt64(index))
                for last in items.indices.reversed() { items.swapAt(last, chance.below(last + 1)) }
                lines.add(#"{"kind":"chart","storefront":""#)
                lines.add(storefront.key)
                lines.add(#"","name":""#)
                lines.add(name)
                lines.add(#"","items":["#)
                lines.add(Array(items.prefix(200).joined(separator: [UInt8(ascii: ",")])))
                lines.add("]}\n")
            }
        }
        return lines.bytes
    }

    package func makeIterator() -> Iterator { Iterator(maker: maker, count: count) }

    /// An iterator over the lines, each with its line end.
    package struct Iterator: IteratorProtocol {
        fileprivate let maker: SyntheticItem
        fileprivate let count: Int
        private var index = 0

        fileprivate init(maker: SyntheticItem, count: Int) {
            self.maker = maker
            self.count = count
        }

        package mutating func next() -> [UInt8]? {
            guard index < count else { return nil }
            defer { index += 1 }
            return maker.line(at: index)
        }
    }
}
