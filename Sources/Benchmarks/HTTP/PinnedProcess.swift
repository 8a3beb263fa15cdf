import Foundation
import Host

/// A child on the first core, until it is killed.
struct PinnedProcess {
    let id: Int32
    private let output: String

    /// What it prints goes to a file.
    init(_ path: String, _ arguments: [String], output: String) throws {
        self.output = output
        id = try ProcessLaunch("taskset", ["-c", "0", path] + arguments)
            .start(input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: output, .create)).id
    }

    func kill() { do { try RunningProcess.send(.kill, to: id) } catch { print("process \(id): \(error)") } }

    /// The port that it has written; a process that writes none is killed.
    func port() throws -> Int {
        for _ in 0..<1_000 {
            if let port = Int(try String(contentsOfFile: output, encoding: .utf8).trimmingCharacters(in: .newlines)) { return port }
            usleep(10_000)
        }
        kill()
        throw BenchmarkFailure(reason: "no port in \(output)")
    }
}
