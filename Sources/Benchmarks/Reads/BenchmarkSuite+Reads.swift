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
            let many = try catalog(of: GeneratedItems.count, named: "many", url)
            let rows = try CatalogRead.all.flatMap { read in
                // The first calls prepare their statements and warm the caches.
                for catalog in [few, many] { _ = try catalog.times(read, calls: 50, seed: 1) }
                let (fewer, more) = (try few.times(read, calls: calls, seed: 2), try many.times(read, calls: calls, seed: 2))
                return [("half of the calls", 0.5), ("99 % of the calls", 0.99)].map { name, part in
                    BenchmarkRow(
                        what: "reads: \(read.name), \(name), of \(GeneratedItems.count) items", measured: figure(more, part),
                        against: ("of 10000", figure(fewer, part)), bar: .ratioAtLeast(1.0 / 3))
                }
            }
            for catalog in [few, many] { try catalog.close() }
            return rows
        }
    }

    private static let calls = 300

    /// As a sequencer does, by parts of 10,000.
    private static func publish(_ psql: PSQL, _ count: Int) throws {
        for first in stride(from: 0, through: count, by: 10_000) {
            _ = try psql.time(
                """
                UPDATE vitrine.sync_head SET version = version + vitrine.publish_items(
                    ARRAY(SELECT id FROM vitrine.items WHERE serial_number BETWEEN \(first) AND \(first + 9_999)), version, now())
                """)
        }
    }

    private static func figure(_ times: [Duration], _ part: Double) -> BenchmarkRow.Figure {
        .init(value: times[Int(Double(times.count - 1) * part)] / .milliseconds(1), unit: "ms")
    }

    private static func catalog(of count: Int, named name: String, _ url: DatabaseURL) throws -> MeasuredCatalog {
        _ = try PSQL(url: url.exposed).time("CREATE DATABASE \(name)")
        let url = try DatabaseURL(parsing: url.exposed.replacing("/vitrine?", with: "/\(name)?"))
        try BuiltProgram(["db", "migrate"], url: url).run()
        try GeneratedItems.with(url, count: count, seed: 7) { file in _ = try BuiltProgram(["db", "load", file], url: url).run() }
        try publish(PSQL(url: url.exposed), count)
        _ = try PSQL(url: url.exposed).time("VACUUM ANALYZE")
        return try MeasuredCatalog(url)
    }
}
