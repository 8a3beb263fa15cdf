import Testing

@testable import Benchmarks

@Suite("The growth table")
struct GrowthTableTests {
    @Test(
        "The sizes are the powers of ten from 10,000 to a million below the largest one, and that one",
        arguments: [
            (100_000, [10_000, 100_000]), (10_000_000, [10_000, 100_000, 1_000_000, 10_000_000]),
            (50_000, [10_000, 50_000]), (10_000, [10_000]), (200, [200]),
        ])
    func sizes(largest: Int, sizes: [Int]) {
        #expect(GrowthTable.sizes(upTo: largest) == sizes)
    }

    @Test("A column has the measurements of a size, and the last column the growth if both ends were measured")
    func columns() {
        var table = GrowthTable([10, 20, 30])
        table.record("loaded", 2, "s", of: 10)
        table.record("nothing", 0, "ms", of: 10)
        table.record("loaded", 3, "s", of: 20)
        table.record("loaded", 12, "s", of: 30)
        table.record("nothing", 1, "ms", of: 30)
        table.record("searched", 5, "ms", of: 20)
        #expect(
            table.description == """
                growth    unit  10 items  20 items  30 items  largest ÷ smallest
                loaded    s     2.00      3.00      12.0      6.00 ×
                nothing   ms    0.00                1.00
                searched  ms              5.00
                """)
    }
}
