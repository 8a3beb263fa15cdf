import Testing

@testable import Benchmarks

@Suite("The random parameters of reads")
struct ReadChanceTests {
    private static let titles = ["Quiet Harbor", "Golden Fox Notes", "Silver Tower Radio Velenira", "Deep Tower Velenira"]

    private func texts(seed: UInt64, _ draw: (inout ReadChance) -> String) -> [String] {
        var chance = ReadChance(seed: seed, titles: Self.titles, ids: [], categories: [], developers: [])
        return (0..<200).map { _ in draw(&chance) }
    }

    @Test("Separate words are the first of a title and one after the second, and no pair that is adjacent in another title")
    func separateWords() {
        let texts = texts(seed: 1) { $0.separateWords() }
        #expect(Set(texts) == ["Golden Notes", "Silver Radio", "Silver Velenira", "Deep Velenira"])
    }

    @Test("Adjacent words begin a title")
    func words() {
        #expect(Set(texts(seed: 1) { $0.words(2) }) == ["Quiet Harbor", "Golden Fox", "Silver Tower", "Deep Tower"])
    }

    @Test("The seed determines the texts")
    func seeds() {
        #expect(texts(seed: 7) { $0.separateWords() } == texts(seed: 7) { $0.separateWords() })
        #expect(texts(seed: 7) { $0.separateWords() } != texts(seed: 8) { $0.separateWords() })
    }
}
