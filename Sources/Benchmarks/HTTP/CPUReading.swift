import Foundation
import Host

/// The CPU time that a process has used since its start.
struct CPUReading {
    /// The exact time of all threads.
    let total: Duration
    /// The same time in ticks of the clock, by where it was spent.
    let ticks: Ticks

    /// The time in ticks of ten milliseconds. Both numbers have the same error, so their ratio is used.
    struct Ticks: Equatable {
        let user: Int
        let kernel: Int

        /// Parses `/proc/PID/stat`. Returns nil if a number is missing.
        init?(ofStat text: String) {
            // The name of the program may have spaces and parentheses. After it, the state is the third field of proc(5).
            guard let name = text.lastIndex(of: ")") else { return nil }
            let fields = text[name...].dropFirst().split(separator: " ")
            guard fields.count > 12, let user = Int(fields[11]), let kernel = Int(fields[12]) else { return nil }
            self.user = user
            self.kernel = kernel
        }
    }

    init(total: Duration, ticks: Ticks) {
        self.total = total
        self.ticks = ticks
    }

    init(of process: Int32) throws {
        total = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").reduce(.zero) { sum, task in
            // The columns are nanoseconds on a core, nanoseconds of waiting for one, and time slices.
            let measurements = try String(contentsOfFile: "/proc/\(process)/task/\(task)/schedstat", encoding: .utf8).split(separator: " ")
            guard let nanoseconds = measurements.first.flatMap({ Int($0) }) else {
                throw BenchmarkFailure(reason: "the kernel does not count the time of process \(process)")
            }
            return sum + .nanoseconds(nanoseconds)
        }
        guard let ticks = Ticks(ofStat: try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) else {
            throw BenchmarkFailure(reason: "/proc/\(process)/stat has no CPU time")
        }
        self.ticks = ticks
    }

    /// Returns the time since an earlier reading. The part in the kernel is zero if the time is shorter than a tick.
    func spent(since earlier: CPUReading) -> (total: Duration, kernel: Duration) {
        let total = total - earlier.total
        let kernel = ticks.kernel - earlier.ticks.kernel
        let all = kernel + ticks.user - earlier.ticks.user
        return (total, all > 0 ? total * Double(kernel) / Double(all) : .zero)
    }
}
