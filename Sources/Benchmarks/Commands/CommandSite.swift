import Foundation
import Host

/// A `vitrine dev` with the sample catalog in a separate folder, and commands that query it.
final class CommandSite {
    private static let runs = 13

    private let program: String
    private let folder: String
    private var environment: [String: String]
    private var child: ChildProcess

    init() throws {
        folder = "/tmp/vitrine-bench-\(SystemInfo.processID)"
        try Files.makeDirectory(folder)
        program = try VitrineServer.program()
        environment = SystemInfo.environment.filter { !$0.key.hasPrefix("VITRINE_") }
        environment["XDG_CONFIG_HOME"] = folder
        let log = "\(folder)/dev.log"
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        let arguments = ["-c", "cd \(folder) && exec \(program) dev --listen 127.0.0.1:0 2>\(log)"]
        let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
        child = try ProcessLaunch("sh", arguments, environment: environment, isDetached: true).start(input: nothing, output: nothing)
        do { try prepare(log) } catch {
            end()
            throw error
        }
    }

    private func prepare(_ log: String) throws {
        for _ in 0..<600 where !(try Self.text(log).contains("dev.ready")) { usleep(100_000) }
        guard let server = try Self.text(log).firstMatch(of: #/"addresses":\["(http:[^"]+)"\]/#)?.1 else {
            throw BenchmarkFailure(reason: "vitrine dev did not become ready: \(try Self.text(log))")
        }
        environment["VITRINE_DATABASE_URL"] = try output("db url").trimmingCharacters(in: .newlines)
        environment["VITRINE_TOKEN"] = try output("token create --name bench --scope admin").trimmingCharacters(in: .newlines)
        environment["VITRINE_SERVER"] = String(server)
        let token = try keep(environment["VITRINE_TOKEN"] ?? "", as: "token")
        for name in ["here", "there"] { try output("profile set \(name) --server \(server) --token-file \(token)") }
        try keep(try output("rev show today 1 -o json"), as: "today.json")
        try keep(try output("layout show tree-carousel"), as: "layout.json")
    }

    func end() {
        do {
            try RunningProcess.send(.interrupt, to: child.id)
            _ = try child.wait()
            try FileManager.default.removeItem(atPath: folder)
        } catch { print("\(folder) was not removed: \(error)") }
    }

    func row(_ line: String, bar: Double, _ progress: ProgressLine) throws -> BenchmarkRow {
        BenchmarkRow(what: "commands: vitrine \(line)", measured: try times(line, progress), bar: .atMost(bar))
    }

    /// Returns the highest median of several commands.
    func slowest(_ name: String, _ lines: [String], bar: Double, _ progress: ProgressLine) throws -> BenchmarkRow {
        let times = try lines.map { (line: $0, time: try self.times($0, progress)) }
        guard let slowest = times.max(by: { $0.time.median < $1.time.median }) else {
            throw BenchmarkFailure(reason: "no measurements of \(name)")
        }
        return BenchmarkRow(
            what: "commands: \(name), vitrine \(slowest.line) the slowest of \(times.count)",
            measured: slowest.time, bar: .atMost(bar))
    }

    private func times(_ line: String, _ progress: ProgressLine) throws -> BenchmarkRow.Figure {
        progress.show("vitrine \(line)")
        // A space at the end stands for an empty word.
        let arguments = line.split(separator: " ", omittingEmptySubsequences: false).map {
            $0.hasSuffix(".json") ? "\(folder)/\($0)" : "\($0)"
        }
        let times = try (0..<Self.runs).map { _ in
            let start = ContinuousClock.now
            let (text, status) = try ProcessLaunch(program, arguments, environment: environment).output(within: .seconds(60))
            let time = start.duration(to: .now)
            guard status.isSuccess else { throw BenchmarkFailure(reason: "vitrine \(line) ended with \(status): \(text)") }
            return time
        }
        return try .milliseconds(times)
    }

    @discardableResult
    private func keep(_ text: String, as name: String) throws -> String {
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @discardableResult
    private func output(_ line: String) throws -> String {
        let command = "cd \(folder) && exec \(program) \(line) 2>>\(folder)/errors"
        let (text, status) = try ProcessLaunch("sh", ["-c", command], environment: environment).output(within: .seconds(60))
        guard status.isSuccess else { throw BenchmarkFailure(reason: "\(line): \(try Self.text("\(folder)/errors"))") }
        return text
    }

    private static func text(_ path: String) throws -> String { String(decoding: try Files.read(path), as: UTF8.self) }
}
