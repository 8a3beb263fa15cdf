import Testing

@testable import Benchmarks

@Suite("A load of a catalog")
struct CatalogLoadTests {
    @Test(
        "The counts of an import are read from its output",
        arguments: [("added", 50_036), ("updated", 0), ("unchanged", 7), ("rejected", nil), ("Imported:", nil)] as [(String, Int?)])
    func counts(word: String, count: Int?) {
        #expect(CatalogLoad.count(word, in: "Imported: 50036 added, 0 updated, 7 unchanged.\n") == count)
    }
}
