import Foundation
import Host
internal import Postgres
import Settings

/// The program that was built with this one, with its arguments and a database.
struct BuiltProgram {
    struct Run {
        let output: String
        let time: Duration
        /// The peak memory in bytes.
        let peak: Int
    }

    private let program: ProcessLaunch

    init(_ program: ProcessLaunch) { self.program = program }

    /// Creates a run of a program, by default of the one that was built with this program.
    init(_ arguments: [String], of program: String? = nil, url: DatabaseURL) throws {
        self.init(
            ProcessLaunch(
                try program ?? VitrineServer.program(), arguments,
                environment: SystemInfo.environment.merging(["VITRINE_DATABASE_URL": url.exposed]) { $1 }))
    }

    /// Runs a body while the program runs. If the program still runs after the body, even one that throws, it is killed. The output is
    /// discarded.
    func run<Value>(during body: (inout ChildProcess) throws -> Value) throws -> Value {
        let input = try Descriptor(opening: "/dev/null", .read)
        var child = try program.start(input: input, output: Descriptor(opening: "/dev/null", .readAndWrite))
        defer {
            do {
                if child.ended() == nil {
                    try RunningProcess.send(.kill, to: child.id)
                    _ = try child.wait()
                }
            } catch { print("process \(child.id): \(error)") }
        }
        return try body(&child)
    }

    @discardableResult
    func run() throws -> Run {
        let path = "/tmp/vitrine-bench-\(SystemInfo.processID).output"
        defer { do { try Files.remove(path) } catch { print("\(path) was not removed: \(error)") } }
        let (time, peak) = try run(output: path)
        // A process that ends before its memory is sampled has no figure. A figure of zero would meet any bar.
        guard peak > 0 else { throw BenchmarkFailure(reason: "\(program.arguments): its memory was not sampled") }
        return Run(output: String(decoding: try Files.read(path), as: UTF8.self), time: time, peak: peak)
    }

    /// Runs the program with its output redirected to a file.
    @discardableResult
    func run(output path: String) throws -> (time: Duration, peak: Int) {
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
        return (time, peak)
    }

    /// Returns the peak memory that the kernel counted so far. A peak after the last sample is lost.
    private static func peak(of process: Int32) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = Int(line.split(separator: " ").dropFirst().first ?? "")
        else { return nil }
        return kilobytes * 1_024
    }
}
