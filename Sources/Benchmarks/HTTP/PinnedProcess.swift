import Foundation
import Host

/// A child process on the first core that runs until it is killed.
struct PinnedProcess {
    let id: Int32
    private let output: String

    /// Starts a process with its output redirected to a file.
    init(_ path: String, _ arguments: [String], output: String) throws {
        self.output = output
        id = try ProcessLaunch("taskset", ["-c", "0", path] + arguments)
            .start(input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: output, .create)).id
    }

    func kill() { do { try RunningProcess.send(.kill, to: id) } catch { print("process \(id): \(error)") } }

    /// Returns the port that the process printed. Kills the process if it prints none.
    func port() throws -> Int {
        for _ in 0..<1_000 {
            if let port = Int(try String(contentsOfFile: output, encoding: .utf8).trimmingCharacters(in: .newlines)) { return port }
            usleep(10_000)
        }
        kill()
        throw BenchmarkFailure(reason: "no port in \(output)")
    }
}
