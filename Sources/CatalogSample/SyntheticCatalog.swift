/// Items in any number, for measurements: the records of an import, made one by one of a seed and of their place.
///
/// The same seed makes the same bytes everywhere. Sources and slugs contain the seed and the place, so that catalogs of two seeds fit into one
/// database; serial numbers are left to the database. Numbers are spread as in the shops that there are: few categories, developers and
/// cuisines have most items, few items have most ratings, most apps cost nothing.
package struct SyntheticCatalog: Sequence, Sendable {
    package let count: Int
    package let seed: UInt64
    private let maker: SyntheticItem

    package init(count: Int, seed: UInt64) {
        self.count = count
        self.seed = seed
        maker = SyntheticItem(seed: seed, sample: SampleStorefronts())
    }

    /// The storefronts and categories that the items need, as lines of an import as well.
    package var preamble: [UInt8] { maker.sample.lines }

    /// The charts of the storefronts, as lines that stand behind the items: the first items of a kind, in an order that the seed makes.
    package var charts: [UInt8] {
        var lines = JSONLineBuilder()
        for (place, storefront) in maker.sample.storefronts.enumerated() {
            for (name, isTopApp) in [("top-free", true), ("top-food", false)] {
                var items = (0..<Swift.min(count, 1_000)).compactMap { maker.reference(at: $0, isTopApp: isTopApp) }
                guard !items.isEmpty else { continue }
                var chance = SeededGenerator(seed: seed, stream: UInt64.max - UInt64(place))
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

    /// Each element is a line with its end.
    package struct Iterator: IteratorProtocol {
        fileprivate let maker: SyntheticItem
        fileprivate let count: Int
        private var place = 0

        fileprivate init(maker: SyntheticItem, count: Int) {
            self.maker = maker
            self.count = count
        }

        package mutating func next() -> [UInt8]? {
            guard place < count else { return nil }
            defer { place += 1 }
            return maker.line(at: place)
        }
    }
}
