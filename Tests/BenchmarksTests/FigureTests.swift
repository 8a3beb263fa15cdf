import JSON
import Testing

@testable import Benchmarks

@Suite("The figures of a benchmark")
struct FigureTests {
    @Test("A figure has the median, the smallest and the largest value of its rounds")
    func spread() throws {
        let figure = try BenchmarkRow.Figure([5, 1, 9, 3, 4], unit: "µs")
        #expect(figure.median == 4)
        #expect(figure.minimum == 1)
        #expect(figure.maximum == 9)
        #expect(figure.divided(by: 2).maximum == 4.5)
    }

    @Test(
        "Fewer than three rounds, or a value that is not finite, do not make a figure",
        arguments: [[], [1], [1, 2], [1, 2, .nan], [1, 2, .infinity]])
    func noSpread(values: [Double]) {
        #expect(throws: BenchmarkFailure.self) { try BenchmarkRow.Figure(values, unit: "ms") }
    }

    @Test("A bar of the median ignores one slow round, and a bar of all rounds does not")
    func bars() throws {
        let figure = try BenchmarkRow.Figure([1, 1, 100], unit: "ms")
        #expect(BenchmarkRow(what: "a", measured: figure, bar: .atMost(10)).isHeld)
        #expect(!BenchmarkRow(what: "a", measured: figure, bar: .allAtMost(10)).isHeld)
        #expect(!BenchmarkRow(what: "a", measured: figure, bar: .allAtLeast(2)).isHeld)
        let peer = try BenchmarkRow.Figure([2, 2, 2], unit: "ms")
        #expect(BenchmarkRow(what: "a", measured: figure, against: ("b", peer), bar: .ratioAtLeast(2)).isHeld)
        #expect(!BenchmarkRow(what: "a", measured: figure, against: ("b", peer), bar: .ratioAtLeast(2.5)).isHeld)
    }

    @Test("A bar of 99 % of the rounds ignores three slow ones of 300, and not a fourth one, and its table shows the percentile")
    func percentile() throws {
        func row(_ slow: Int) throws -> BenchmarkRow {
            let values = Array(repeating: 5.0, count: 300 - slow) + Array(repeating: 100, count: slow)
            return BenchmarkRow(what: "a", measured: try .init(values.shuffled(), unit: "ms"), bar: .percentile99AtMost(60))
        }
        #expect(try row(3).isHeld)
        #expect(try !row(4).isHeld)
        #expect(BenchmarkTable([try row(4)]).description.hasSuffix("99 % (100.0) ≤ 60.0 ms  SHORT"))
        #expect(String(decoding: try row(3).json(), as: UTF8.self).contains(#""percentile99":5,"percentile99AtMost":60"#))
        #expect(try BenchmarkRow.Figure([1, 2, 3], unit: "ms").percentile99 == 3)
    }

    @Test("A table shows the range of both sides and whether the bar is held")
    func table() throws {
        let row = BenchmarkRow(
            what: "http: 2 KB", measured: try .init([10, 11, 12], unit: "µs"), against: ("nginx", try .init([8, 9.9, 30], unit: "µs")),
            bar: .ratioAtLeast(1))
        #expect(
            BenchmarkTable([row]).description == """
                what        median   min … max    against  median   min … max    ratio   bar
                http: 2 KB  11.0 µs  10.0 … 12.0  nginx    9.90 µs  8.00 … 30.0  0.90 ×  ≥ 1.00 ×  SHORT
                """)
    }
}
