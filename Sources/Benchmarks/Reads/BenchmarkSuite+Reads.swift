import Foundation
import Host
import Postgres
import SQLFiles
import Settings

extension BenchmarkSuite {
    /// Each read of the catalog among 10,000 items and among many, in one server and in one minute.
    static let reads = BenchmarkSuite(name: "reads") {
        try BenchmarkCluster.run { url in
            let few = try catalog(of: 10_000, named: "few", url)
            let many = try catalog(of: items, named: "many", url)
            let rows = try CatalogRead.all.flatMap { read in
                // The first calls prepare their statements and warm the caches.
                for catalog in [few, many] { _ = try catalog.times(read, calls: 50, seed: 1) }
                let (fewer, more) = (try few.times(read, calls: calls, seed: 2), try many.times(read, calls: calls, seed: 2))
                return [("half of the calls", 0.5), ("99 % of the calls", 0.99)].map { name, part in
                    BenchmarkRow(
                        what: "reads: \(read.name), \(name), of \(items) items", measured: figure(more, part),
                        against: ("of 10000", figure(fewer, part)), bar: .ratioAtLeast(1.0 / 3))
                }
            }
            for catalog in [few, many] { try catalog.close() }
            return rows
        }
    }

    private static let items = Int(ProcessInfo.processInfo.environment["SIZE"] ?? "") ?? 200_000
    private static let calls = 300

    /// As a sequencer does, by parts of 10,000.
    private static func publish(_ psql: PSQL, _ count: Int) throws {
        for first in stride(from: 0, through: count, by: 10_000) {
            _ = try psql.time(
                """
                UPDATE vitrine.sync_head SET version = version + vitrine.publish_items(
                    ARRAY(SELECT id FROM vitrine.items WHERE serial_number BETWEEN \(first) AND \(first + 9_999)), version)
                """)
        }
    }

    private static func figure(_ times: [Duration], _ part: Double) -> BenchmarkRow.Figure {
        .init(value: times[Int(Double(times.count - 1) * part)] / .milliseconds(1), unit: "ms")
    }

    private static func catalog(of count: Int, named name: String, _ url: DatabaseURL) throws -> MeasuredCatalog {
        _ = try PSQL(url: url.exposed).time("CREATE DATABASE \(name)")
        let url = try DatabaseURL(parsing: url.exposed.replacing("/vitrine?", with: "/\(name)?"))
        let file = "/tmp/vitrine-bench-\(Machine.processID)-\(name).jsonl"
        try run(["db", "migrate"], url)
        defer { do { try FileManager.default.removeItem(atPath: file) } catch { print("\(file) stays: \(error)") } }
        try run(["item", "generate", "--count", "\(count)", "--seed", "7"], url, into: file)
        try run(["item", "import", file], url)
        try publish(PSQL(url: url.exposed), count)
        _ = try PSQL(url: url.exposed).time("VACUUM ANALYZE")
        return try MeasuredCatalog(url)
    }

    private static func run(_ arguments: [String], _ url: DatabaseURL, into file: String? = nil) throws {
        let output = file ?? "/tmp/vitrine-bench-\(Machine.processID).output"
        let path = Path.join(Path.parent(of: try Path.resolved("/proc/self/exe")), "vitrine")
        let program = Program(path, arguments, environment: Machine.environment.merging(["VITRINE_DATABASE_URL": url.exposed]) { $1 })
        var child = try program.start(input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: output, .create))
        var status: ProcessStatus?
        while status == nil {
            _ = Signal.next(of: [], within: .milliseconds(10))
            status = child.ended()
        }
        let text = file == nil ? String(decoding: try Files.read(output), as: UTF8.self) : ""
        if file == nil { try Files.remove(output) }
        guard status?.isSuccess == true else { throw BenchmarkFailure(reason: "\(arguments): \(status.map { "\($0)" } ?? ""): \(text)") }
    }
}
