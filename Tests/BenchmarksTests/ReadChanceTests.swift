import Testing

@testable import Benchmarks

@Suite("The random parameters of reads")
struct ReadChanceTests {
    private static let titles = ["Quiet Harbor", "Golden Fox Notes", "Silver Tower Radio Velenira"]

    private func texts(seed: UInt64, _ draw: (inout ReadChance) -> String) -> [String] {
        var chance = ReadChance(seed: seed, titles: Self.titles, ids: [], categories: [], developers: [])
        return (0..<200).map { _ in draw(&chance) }
    }

    @Test("Separate words are all pairs of a title that have a word between them, and no others")
    func separateWords() {
        let texts = texts(seed: 1) { $0.separateWords() }
        #expect(Set(texts) == ["Golden Notes", "Silver Radio", "Silver Velenira", "Tower Velenira"])
    }

    @Test("Adjacent words begin a title")
    func words() {
        #expect(Set(texts(seed: 1) { $0.words(2) }) == ["Quiet Harbor", "Golden Fox", "Silver Tower"])
    }

    @Test("The seed determines the texts")
    func seeds() {
        #expect(texts(seed: 7) { $0.separateWords() } == texts(seed: 7) { $0.separateWords() })
        #expect(texts(seed: 7) { $0.separateWords() } != texts(seed: 8) { $0.separateWords() })
    }

    @Test("Both searches for two words may be one and a half times as long in a large catalog")
    func growth() {
        #expect(CatalogRead.ofClients.filter { $0.name.contains("two") }.map(\.maxGrowth) == [1.5, 1.5])
    }
}
