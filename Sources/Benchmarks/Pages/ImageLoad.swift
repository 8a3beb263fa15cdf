import Foundation
import Host

/// A load that requests another large PNG image with each request, from more connections than the queue of images has places.
final class ImageLoad {
    struct Tally: Equatable {
        let drawn: Int
        /// The responses with status 503 and `Retry-After`.
        let rejected: Int

        /// Parses the output of the load. Returns nil if a response was another one, or if nothing was measured.
        init?(_ text: String) {
            guard let sums = text.firstMatch(of: #/images: ([0-9]+) drawn, ([0-9]+) rejected, 0 others/#), let drawn = Int(sums.1),
                let rejected = Int(sums.2)
            else { return nil }
            (self.drawn, self.rejected) = (drawn, rejected)
        }
    }

    /// The time between a response and the next request of its connection, in milliseconds. Without it, the loop would have more
    /// work with rejected requests than with pages.
    private static let pause = 100

    private let output: String
    private let start: ContinuousClock.Instant
    private var child: ChildProcess

    /// Starts the load on the second core. Returns after the server has rejected a request. Each round has IDs of its own.
    init(_ server: VitrineServer, round: Int, in folder: String) throws {
        output = "\(folder)/images-\(round).output"
        let script = "\(folder)/images.lua"
        try Data(Self.script(round).utf8).write(to: URL(fileURLWithPath: script))
        start = .now
        child = try ProcessLaunch(
            "taskset", ["-c", "1", "wrk", "-t1", "-c\(Load.connections)", "-d600s", "--timeout", "600s", "-s", script, server.url("/")]
        ).start(input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: output, .create))
        do { try Self.waitUntilRejected(by: server, round, in: folder) } catch {
            _ = try stop()
            throw error
        }
    }

    /// Ends the load. Returns its sums and the time since its start.
    func finish() throws -> (tally: Tally, rejectedPerSecond: Double) {
        let (text, time) = try stop()
        guard let tally = Tally(text) else { throw BenchmarkFailure(reason: "not every image is a 200 or a 503 with Retry-After: \(text)") }
        return (tally, Double(tally.rejected) / (time / .seconds(1)))
    }

    private func stop() throws -> (output: String, time: Duration) {
        let time = start.duration(to: .now)
        try RunningProcess.send(.interrupt, to: child.id)
        _ = try child.wait()
        return (try String(contentsOfFile: output, encoding: .utf8), time)
    }

    private static func waitUntilRejected(by server: VitrineServer, _ round: Int, in folder: String) throws {
        for number in 1_000..<2_000 {
            // A client whose image waits leaves the queue after a second.
            let url = server.url(path(round, "ffffffff\(number)"))
            let (text, status) = try ProcessLaunch(
                "curl", ["-s", "--max-time", "1", "-o", "/dev/null", "-w", "%{http_code}", url]
            ).output(within: .seconds(30))
            if status.isSuccess, text == "503" { return }
        }
        let log = try String(contentsOfFile: server.log, encoding: .utf8)
        throw BenchmarkFailure(reason: "the server rejects no image: \(log.suffix(2_000))")
    }

    /// Returns the path of an image with the last twelve digits of its ID, or with a format of them.
    private static func path(_ round: Int, _ digits: String) -> String {
        "/v1/images/1/00000000-0000-4000-\(8_000 + round)-\(digits)/hero/1920x1080.png"
    }

    private static func script(_ round: Int) -> String {
        """
        local threads = {}
        local number = 0
        function setup(thread) table.insert(threads, thread) end
        function init() drawn = 0; rejected = 0; others = 0 end
        function delay() return \(pause) end
        function request()
            number = number + 1
            return wrk.format("GET", string.format("\(path(round, "%012d"))", number))
        end
        function response(status, headers)
            if status == 200 then drawn = drawn + 1
            elseif status == 503 and headers["retry-after"] then rejected = rejected + 1
            else others = others + 1 end
        end
        function done()
            local thread = threads[1]
            local drawn, rejected, others = thread:get("drawn"), thread:get("rejected"), thread:get("others")
            io.write(string.format("images: %d drawn, %d rejected, %d others\\n", drawn, rejected, others))
        end

        """
    }
}
