import Foundation
import Testing

@testable import Benchmarks

@Suite("A load at a constant rate")
struct PacedLoadTests {
    private static let millisecond = 1_000_000

    /// Sends all requests to a server of one connection that responds after some time, and stalls once.
    private func simulate(_ schedule: PacedSchedule, response: Int, stall: Range<Int>) -> PacedSchedule {
        var schedule = schedule
        var (now, free) = (0, 0)
        while let due = schedule.due {
            now = max(now, due)
            let intended = schedule.send(at: now, freeSince: free)
            now += response
            if stall.contains(now) { now = stall.upperBound }
            schedule.finish(dueAt: intended, at: now)
            free = now
        }
        return schedule
    }

    @Test("The intended times have the given rate and do not drift")
    func rate() {
        var schedule = PacedSchedule(rate: 30_000, seconds: 2)
        #expect(schedule.count == 60_000)
        #expect(schedule.due == 0)
        for _ in 0..<30_000 { _ = schedule.send(at: 0, freeSince: 0) }
        #expect(schedule.due == 1_000 * Self.millisecond)
        for _ in 0..<30_000 { _ = schedule.send(at: 0, freeSince: 0) }
        #expect(schedule.due == nil)
        #expect(schedule.end == 2_000 * Self.millisecond)
        #expect(!schedule.isFinished)
    }

    @Test("A stall counts for each request that was due during it, and not for the load generator")
    func stall() {
        let schedule = PacedSchedule(rate: 1_000, seconds: 1)
        let stalled = simulate(schedule, response: 1_000, stall: 500 * Self.millisecond..<600 * Self.millisecond)
        #expect(stalled.isFinished)
        // About 100 of 1,000 requests were due during 100 ms, and waited for 50 ms on average.
        let late = stalled.latencies.count { $0 > 50 * Self.millisecond }
        #expect((45...55).contains(late))
        #expect(stalled.latencies.max() ?? 0 > 98 * Self.millisecond)
        #expect(stalled.delays.max() == 0)
        let outcome = PacedOutcome(stalled, changes: 0)
        #expect(outcome.percentile99 > 85_000)
        #expect(outcome.median < 2)
    }

    @Test("A request that is sent late on a free connection is a delay of the load generator")
    func delay() {
        var schedule = PacedSchedule(rate: 1_000, seconds: 0.002)
        #expect(schedule.send(at: 300, freeSince: 0) == 0)
        // The only connection became free after the intended time of one millisecond.
        #expect(schedule.send(at: Self.millisecond + 900, freeSince: Self.millisecond + 400) == Self.millisecond)
        #expect(schedule.delays == [300, 500])
        schedule.finish(dueAt: 0, at: Self.millisecond)
        schedule.finish(dueAt: Self.millisecond, at: 3 * Self.millisecond)
        #expect(schedule.latencies == [Self.millisecond, 2 * Self.millisecond])
        #expect(schedule.isFinished)
    }

    @Test(
        "A percentile is the smallest value that enough of the values do not exceed",
        arguments: [
            (50.0, 0.002), (75, 0.003), (76, 0.004), (99, 0.004), (100, 0.004), (0, 0.001),
        ])
    func percentile(percent: Double, value: Double) {
        #expect(PacedOutcome.percentile(percent, of: [1, 2, 3, 4]) == value)
    }

    @Test("The printed latencies are read, and other text is not")
    func outcome() throws {
        var schedule = PacedSchedule(rate: 1_000, seconds: 0.003)
        for number in 1...3 {
            let due = schedule.send(at: number * Self.millisecond, freeSince: 0)
            schedule.finish(dueAt: due, at: 5 * Self.millisecond)
        }
        let outcome = PacedOutcome(schedule, changes: 2)
        #expect(outcome.description == "paced: 3 responses, 2 changes, us: 50% 4000.0, 99% 5000.0, 100% 5000.0, own 99% 1000.0")
        #expect(PacedOutcome("\(outcome)\n") == outcome)
        #expect(PacedOutcome("benchmarks: send: Broken pipe") == nil)
        #expect(PacedOutcome(outcome.description.replacing("99%", with: "98%")) == nil)
    }

    private func extent(_ text: String, count: Int = .max) throws -> ResponseExtent? {
        try Array(text.utf8.prefix(count)).withUnsafeBytes { try ResponseExtent($0) }
    }

    @Test("A response ends after its content length, in any spelling and in any pieces")
    func extent() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nCONTENT-length: 1204\r\ncontent-lengthy: 7\r\n\r\n"
        let extent = try #require(try extent(head + "body"))
        #expect(extent == (try self.extent(head)))
        #expect(extent.head == head.utf8.count)
        #expect(extent.body == 1_204)
        #expect(extent.size == head.utf8.count + 1_204)
        for count in 0..<head.utf8.count { #expect(try self.extent(head, count: count) == nil) }
    }

    @Test(
        "A response without a length and one that is not a 200 are failures",
        arguments: [
            "HTTP/1.1 304 Not Modified\r\ncontent-length: 3\r\n\r\n", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
            "garbage\r\n",
        ])
    func invalid(text: String) {
        #expect(throws: BenchmarkFailure.self) { try extent(text) }
    }

    @Test("A server that closes its connections is a failure of the load, and one that responds gives latencies")
    func connections() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        let port = try #require(Self.listen(listener))
        let request = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        let server = Thread {
            // The first connection gets a different body each time. The second one is closed.
            let first = accept(listener, nil, nil)
            var isOn: Int32 = 1
            setsockopt(first, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
            var buffer = [UInt8](repeating: 0, count: 1_024)
            var number = 0
            while recv(first, &buffer, buffer.count, 0) > 0 {
                number += 1
                let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\(number % 2)!".utf8)
                // Two pieces.
                send(first, response, 20, 0)
                send(first, Array(response.dropFirst(20)), response.count - 20, 0)
            }
            close(first)
            close(accept(listener, nil, nil))
        }
        server.start()
        let outcome = try PacedLoad(port: port, request: request, PacedSchedule(rate: 1_000, seconds: 0.05), connections: 1).run()
        #expect(outcome.responses == 50)
        #expect(outcome.changes == 49)
        #expect(outcome.median > 0 && outcome.median <= outcome.percentile99 && outcome.percentile99 <= outcome.maximum)
        #expect(throws: BenchmarkFailure.self) {
            try PacedLoad(port: port, request: request, PacedSchedule(rate: 1_000, seconds: 0.05), connections: 1).run()
        }
    }

    /// Returns the port on which the socket listens.
    private static func listen(_ number: Int32) -> Int? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, size) | getsockname(number, $0, &size) }
        }
        return status == 0 && Foundation.listen(number, 8) == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
}
