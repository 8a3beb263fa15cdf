import Foundation
import Host

/// A server in a process of its own on the first core.
struct MeasuredServer {
    let name: String
    /// Without TLS and with it.
    let ports: (plain: Int, encrypted: Int)
    /// Those that answer.
    private let processes: [Int32]

    init(name: String, ports: (plain: Int, encrypted: Int), processes: [Int32]) {
        self.name = name
        self.ports = ports
        self.processes = processes
    }

    func url(_ path: String, isEncrypted: Bool) -> String {
        isEncrypted ? "https://127.0.0.1:\(ports.encrypted)\(path)" : "http://127.0.0.1:\(ports.plain)\(path)"
    }

    /// For how long it was on a core since it began.
    func time() throws -> Duration {
        var sum = Duration.zero
        for process in processes {
            for task in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") {
                // Nanoseconds on a core, nanoseconds of waiting for one, slices.
                let figures = try String(contentsOfFile: "/proc/\(process)/task/\(task)/schedstat", encoding: .utf8).split(separator: " ")
                sum += .nanoseconds(figures.first.flatMap { Int($0) } ?? 0)
            }
        }
        return sum
    }
}
