import JSON
import Layout
import Testing

@Suite("Goldens of the solver")
struct GoldenTests {
    @Test("The goldens are there")
    func count() {
        #expect(GoldenCase.names.count >= 39)
    }

    @Test("Every number of a golden comes out", arguments: GoldenCase.names)
    func golden(_ name: String) throws {
        let golden = try GoldenCase(name)
        try #require(!golden.expected.isEmpty)
        let solved = try golden.solved().canonicalJSON()
        #expect(String(decoding: solved, as: UTF8.self) == String(decoding: golden.expected, as: UTF8.self))
    }
}
