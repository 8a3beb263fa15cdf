import Foundation
import Host
import Postgres
import PrivatePostgres
import Settings

extension BenchmarkSuite {
    /// The importer as a process, against a bare copy of the same lines into a table of JSON without an index.
    static let `import` = BenchmarkSuite(name: "import") {
        try BenchmarkCluster.run { url in
            let file = "/tmp/vitrine-bench-\(Machine.processID).jsonl"
            defer { do { try FileManager.default.removeItem(atPath: file) } catch { print("\(file) stays: \(error)") } }
            let psql = PSQL(url: url.exposed)
            try ImportedFile.write(items, to: file)
            try ImportedProgram(["db", "migrate"], url: url).run()
            _ = try psql.time("CREATE TABLE bare (item jsonb)")
            let format = "(FORMAT csv, QUOTE e'\\x01', DELIMITER e'\\x02')"
            let bare = try psql.time("\\copy bare from '\(file)' \(format)")
            _ = try psql.time("DROP TABLE bare")
            let first = try ImportedProgram(["item", "import", file], url: url).run()
            let second = try ImportedProgram(["item", "import", file], url: url).run()
            guard first.output.hasPrefix("\(items + 2) new"), second.output.contains(" \(items + 2) unchanged") else {
                throw BenchmarkDisagreement(what: "\(first.output), then \(second.output)")
            }
            return [
                BenchmarkRow(
                    what: "import: \(items) items into an empty catalog", measured: first.time, against: ("\\copy as jsonb", bare.figure),
                    bar: .ratioAtLeast(0.4)),
                BenchmarkRow(
                    what: "import: the same file again", measured: second.time, against: ("the first time", first.time),
                    bar: .ratioAtLeast(3)),
                BenchmarkRow(
                    what: "import: memory of the importer",
                    measured: .init(value: Double(max(first.peak, second.peak)) / 1_048_576, unit: "MiB"),
                    bar: .atMost(150)),
            ]
        }
    }

    private static let items = Int(ProcessInfo.processInfo.environment["VITRINE_BENCH_ITEMS"] ?? "") ?? 1_000_000
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
        let output = String(decoding: try Files.read(path), as: UTF8.self)
        guard status?.isSuccess == true else { throw BenchmarkFailure(reason: "\(program.arguments): \(output)") }
        // A process that is too short to be looked at has no figure, and zero would hold any bar.
        guard peak > 0 else { throw BenchmarkFailure(reason: "\(program.arguments): its memory was never seen") }
        return Run(output: output, time: time.figure, peak: peak)
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
