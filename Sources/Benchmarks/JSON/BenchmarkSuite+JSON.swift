import Foundation
import JSON

extension BenchmarkSuite {
    /// Reading and writing a page of 100 kB against Foundation, both with typed structs whose results must be equal.
    static let json = BenchmarkSuite(name: "json") { session in
        let page = SamplePage.generated()
        let source = try page.json()
        let data = Data(source)
        try agree(on: page, source)
        let kilobytes = "\(source.count / 1000) kB page"
        session.progress.show("decoding")
        let decoding = try InterleavedRuns {
            keep(try SamplePage(parsing: source, limits: limits))
        } theirs: {
            keep(try JSONDecoder().decode(SamplePage.self, from: data))
        }
        session.progress.show("encoding")
        let encoding = try InterleavedRuns {
            keep(try page.json())
        } theirs: {
            keep(try JSONEncoder().encode(page))
        }
        session.progress.show("parsing")
        let parsing = try InterleavedRuns {
            keep(try JSONDocument(parsing: source, limits: limits))
        } theirs: {
            keep(try JSONSerialization.jsonObject(with: data))
        }
        return [
            row("json: decode a \(kilobytes) into structs", decoding, "JSONDecoder"),
            row("json: encode a \(kilobytes) from structs", encoding, "JSONEncoder"),
            row("json: parse a \(kilobytes)", parsing, "JSONSerialization"),
        ]
    }

    private static let limits = JSONLimits(bytes: 1_000_000)

    private static func row(_ what: String, _ runs: InterleavedRuns, _ other: String) -> BenchmarkRow {
        BenchmarkRow(what: what, measured: runs.ours, against: (other, runs.theirs), bar: .ratioAtLeast(3))
    }

    private static func agree(on page: SamplePage, _ source: [UInt8]) throws {
        let theirs = [UInt8](try JSONEncoder().encode(page))
        guard try SamplePage(parsing: source, limits: limits) == page, try JSONDecoder().decode(SamplePage.self, from: Data(source)) == page
        else { throw BenchmarkDisagreement(what: "decoding") }
        guard
            try JSONDocument(parsing: source, limits: limits).root.canonical()
                == JSONDocument(parsing: theirs, limits: limits).root.canonical()
        else { throw BenchmarkDisagreement(what: "encoding") }
    }
}
