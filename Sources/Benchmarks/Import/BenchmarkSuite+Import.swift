import Foundation
import Host
import Postgres
import PrivatePostgres
import Settings

extension BenchmarkSuite {
    /// The importer as a process, against bare copies of the same lines into tables without an index: of text, which only has to be stored, and
    /// of JSON, which has to be understood.
    static let `import` = BenchmarkSuite(name: "import") {
        try BenchmarkCluster.run { url in
            let file = "/tmp/vitrine-bench-\(Machine.processID).jsonl"
            defer { do { try FileManager.default.removeItem(atPath: file) } catch { print("\(file) stays: \(error)") } }
            let psql = PSQL(url: url.exposed)
            try ImportedProgram(["item", "generate", "--count", "\(items)"], url: url).run(output: file)
            try ImportedProgram(["db", "migrate"], url: url).run()
            let asText = try bareCopy(of: file, as: "text", psql)
            let asJSON = try bareCopy(of: file, as: "jsonb", psql)
            let first = try ImportedProgram(["item", "import", "--leave-listing", file], url: url).run()
            let derived = try psql.time("DO $$ BEGIN WHILE vitrine.derive_items(5000) > 0 LOOP COMMIT; END LOOP; END $$").figure
            let second = try ImportedProgram(["item", "import", file], url: url).run()
            guard let new = first.output.split(separator: " ").first, second.output.contains(" \(new) unchanged") else {
                throw BenchmarkDisagreement(what: "\(first.output), then \(second.output)")
            }
            let whole = BenchmarkRow.Figure(value: first.time.value + derived.value, unit: "s")
            return [
                BenchmarkRow(
                    what: "import: \(items) items into an empty catalog, committed", measured: first.time,
                    against: ("\\copy as jsonb", asJSON.figure), bar: .ratioAtLeast(0.4)),
                BenchmarkRow(
                    what: "import: the same", measured: first.time, against: ("\\copy as text", asText.figure), bar: .ratioAtLeast(0.05)),
                BenchmarkRow(
                    what: "import: the same, in lists and searches", measured: whole, against: ("\\copy as jsonb", asJSON.figure),
                    bar: .ratioAtLeast(0.03)),
                BenchmarkRow(
                    what: "import: the same, in lists and searches", measured: whole, against: ("\\copy as text", asText.figure),
                    bar: .ratioAtLeast(0.01)),
                BenchmarkRow(
                    what: "import: the same file again", measured: second.time, against: ("the first time, in lists", whole),
                    bar: .ratioAtLeast(3)),
                BenchmarkRow(
                    what: "import: memory of the importer",
                    measured: .init(value: Double(max(first.peak, second.peak)) / 1_048_576, unit: "MiB"),
                    bar: .atMost(150)),
            ]
        }
    }

    private static func bareCopy(of file: String, as type: String, _ psql: PSQL) throws -> Duration {
        _ = try psql.time("CREATE TABLE bare (item \(type))")
        let time = try psql.time("\\copy bare from '\(file)' (FORMAT csv, QUOTE e'\\x01', DELIMITER e'\\x02')")
        _ = try psql.time("DROP TABLE bare")
        return time
    }

    private static let items = Int(ProcessInfo.processInfo.environment["SIZE"] ?? "") ?? 200_000
}

extension Duration {
    fileprivate var figure: BenchmarkRow.Figure { .init(value: self / .seconds(1), unit: "s") }
}

/// A run of the program that was built beside this one.
private struct ImportedProgram {
    struct Run {
        let output: String
        let time: BenchmarkRow.Figure
        /// The most memory that it had, in bytes.
        let peak: Int
    }

    private let program: Program

    init(_ arguments: [String], url: DatabaseURL) throws {
        let path = Path.join(Path.parent(of: try Path.resolved("/proc/self/exe")), "vitrine")
        program = Program(path, arguments, environment: Machine.environment.merging(["VITRINE_DATABASE_URL": url.exposed]) { $1 })
    }

    @discardableResult
    func run() throws -> Run {
        let path = "/tmp/vitrine-bench-\(Machine.processID).output"
        defer { do { try Files.remove(path) } catch { print("\(path) stays: \(error)") } }
        let (time, peak) = try run(output: path)
        // A process that is too short to be looked at has no figure, and zero would hold any bar.
        guard peak > 0 else { throw BenchmarkFailure(reason: "\(program.arguments): its memory was never seen") }
        return Run(output: String(decoding: try Files.read(path), as: UTF8.self), time: time, peak: peak)
    }

    /// What it prints goes to a file.
    @discardableResult
    func run(output path: String) throws -> (time: BenchmarkRow.Figure, peak: Int) {
        let start = ContinuousClock.now
        var child = try program.start(input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: path, .create))
        var peak = 0
        var status: ProcessStatus?
        while status == nil {
            peak = max(peak, Self.peak(of: child.id) ?? 0)
            _ = Signal.next(of: [], within: .milliseconds(10))
            status = child.ended()
        }
        let time = start.duration(to: .now)
        guard status?.isSuccess == true else {
            throw BenchmarkFailure(reason: "\(program.arguments): \(String(decoding: try Files.read(path).prefix(1_000), as: UTF8.self))")
        }
        return (time.figure, peak)
    }

    /// The kernel counts the highest itself; what is lost is what comes within the last moment.
    private static func peak(of process: Int32) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = Int(line.split(separator: " ").dropFirst().first ?? "")
        else { return nil }
        return kilobytes * 1_024
    }
}
