import Foundation
import Host

/// A paced load on a page in a process of its own, on the second core.
///
/// Other processes have the time of that core that the load does not need. Without a real-time priority, they would delay it
/// by up to a tenth of a second.
struct PacedProcess: ~Copyable {
    private let what: String
    private let output: String
    private var child: ChildProcess

    /// Starts to send requests for the page at a rate per second, which accept brotli.
    init(_ path: String, port: Int, rate: Double, seconds: Int, in folder: String) throws {
        what = "\(path) at \(Int(rate)) requests a second"
        output = "\(folder)/paced.output"
        let request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAccept-Encoding: br\r\n\r\n"
        let file = "\(folder)/paced.request"
        try Data(request.utf8).write(to: URL(fileURLWithPath: file))
        let own = try Path.resolved("/proc/self/exe")
        let command = ["--fifo", "50", "taskset", "-c", "1", own, "pace", "\(port)", "\(rate)", "\(seconds)", file]
        child = try ProcessLaunch("chrt", command).start(
            input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: output, .create))
    }

    /// Waits until all responses have arrived.
    consuming func outcome() throws -> PacedOutcome {
        let status = try child.wait()
        let text = try String(contentsOfFile: output, encoding: .utf8)
        try FileManager.default.removeItem(atPath: output)
        guard status.isSuccess, let outcome = PacedOutcome(text) else { throw BenchmarkFailure(reason: "\(what): \(text)") }
        return outcome
    }
}
