import EventLoop
import HTTPMessages
import Host
import TestSupport
import Testing

@testable import HTTP

@Suite("The drain of a server in virtual time")
struct ShutdownSimulationTests {
    /// The maximum delay with which the server notices that a timeout is over.
    private static let sweep = Duration.milliseconds(250) + Simulation.lateness * 4
    private static let soon = Simulation.lateness * 4

    /// The additional time in which a late task may still respond.
    private static let finalResponseTimeout = ServerLimits.finalResponseTimeout + sweep

    private static let limits = {
        var limits = ServerLimits()
        limits.headers = .seconds(2)
        limits.idle = .seconds(3)
        limits.request = .seconds(2)
        limits.linger = .milliseconds(500)
        return limits
    }()

    /// Responds after the number of milliseconds in the path.
    private static let service = Service(
        admit: { _, _ in .body(limit: 0) },
        respond: { request in
            let pause = request.head.target.segments.first.flatMap { Int($0) } ?? 0
            return .later { loop in
                do { try await loop.sleep(until: .after(.milliseconds(pause))) } catch { return Response(.unavailable) }
                return Response(.ok, body: Body("\(pause)"))
            }
        },
        refuse: { failure, _ in Response(failure.status, body: Body("refused")) })

    /// The start of the drain, and the time at which it closes the remaining connections.
    private struct End: Sendable {
        var began = Deadline.never
        var limit = Deadline.never
    }

    @Test("A draining server responds to timely requests, closes late connections, and ends by its limit")
    func shutdowns() async throws {
        let folder = try TemporaryFolder("drain")
        let count = Locked(0)
        try await ScenarioSeeds.play("drains", longest: .seconds(60)) { stage in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let path = "\(folder.path)/\(number)"
            let server = ServerLoop(
                stage.loop, service: Self.service, limits: Self.limits, encryption: nil, totals: ServerTotals(Self.limits))
            try server.start([try ListeningSocket(.unix(path), isShared: false)])
            let end = Locked(End())
            await withTaskGroup { group in
                for _ in 0..<stage.chance.number(in: 0...10) {
                    group.addTask(executorPreference: stage.loop) { await Self.come(to: path, end, stage) }
                }
                await stage.sleepAnyhow(stage.chance.duration(upTo: .seconds(8)))
                let limit = Deadline.after(stage.chance.duration(upTo: .seconds(4)))
                end.withLock { $0 = End(began: .now, limit: limit) }
                await server.shutDown(until: limit)
                stage.note("drained")
                stage.expect(Deadline.now <= limit.advanced(by: Self.sweep), "the drain went on beyond its limit")
                let counters = server.currentCounters
                stage.expect(counters.open == 0 && server.inFlight == 0, "a connection is left")
            }
        }
    }

    /// Sends a few requests over one connection, some with a pause in the middle.
    private static func come(to path: String, _ end: Locked<End>, _ stage: Stage) async {
        await stage.sleepAnyhow(stage.chance.duration(upTo: .seconds(8)))
        guard let client = UnixClient(path) else {
            return stage.expect(end.withLock { $0.began } <= .now, "nobody listens")
        }
        for number in 0..<stage.chance.number(in: 1...3) {
            let limit = number == 0 ? limits.headers : limits.idle
            let startTime = Deadline.now
            // A client that only connects has sent nothing yet.
            let thought = stage.chance.happens(1, in: 4) ? stage.chance.duration(upTo: .seconds(5)) : .zero
            await stage.sleepAnyhow(thought)
            let (first, pause) = (Deadline.now, stage.chance.happens(1, in: 4) ? stage.chance.duration(upTo: .seconds(4)) : .zero)
            let delay = Int(stage.chance.duration(upTo: .milliseconds(2_600)) / .milliseconds(1))
            let text = "GET /\(delay) HTTP/1.1\r\nhost: shop\r\n\r\n"
            guard client.send(text.prefix(10)) else { return expectEnd(startTime, limit, end, stage) }
            await stage.sleepAnyhow(pause)
            // The timeout of the first request starts with the connection, and that of a later one with its first byte.
            let (start, timeout) = number == 0 ? (startTime, limits.headers) : (first, limits.headers)
            guard client.send(text.dropFirst(10)) else { return expectEnd(min(startTime, start), min(limit, timeout), end, stage) }
            let sent = Deadline.now
            let response: UnixClient.Response?
            do { response = try await client.response(on: stage.loop) } catch { return stage.fail("a client waits in vain: \(error)") }
            stage.note("\(delay): \(response?.status ?? "end")")
            let isInTime = sent < start.advanced(by: timeout) && first < startTime.advanced(by: limit)
            guard judge(response, to: delay, sent, isInTime, end.withLock { $0 }, stage) else { return }
        }
    }

    /// Checks that the server closed a connection only because it was late or because the server drains.
    private static func expectEnd(_ start: Deadline, _ limit: Duration, _ end: Locked<End>, _ stage: Stage) {
        stage.expect(start.advanced(by: limit) <= .now || end.withLock { $0.began } <= .now, "closed before its time")
    }

    /// Checks a response. Returns whether another request may follow.
    private static func judge(
        _ response: UnixClient.Response?, to delay: Int, _ sent: Deadline, _ isInTime: Bool, _ end: End, _ stage: Stage
    ) -> Bool {
        let due = sent.advanced(by: .milliseconds(delay))
        switch response {
        case nil: stage.expect(!isInTime || end.began <= .now, "no response to a request that came in time")
        case UnixClient.Response(status: "200", body: "\(delay)"):
            stage.expect(due <= .now && .now <= due.advanced(by: soon), "a response is early or late")
            stage.expect(Duration.milliseconds(delay) <= limits.request + finalResponseTimeout, "a response though its time was over")
        case let response? where response.status == "503":
            let late = sent.advanced(by: limits.request)
            let isCut = end.limit <= .now
            stage.expect(isCut || late <= .now, "given up before its time")
            stage.expect(.now <= late.advanced(by: finalResponseTimeout), "given up too late")
        case let response?: stage.expect(response.status == "408" && (!isInTime || end.began <= .now), "answered with \(response)")
        }
        if isInTime, sent < end.began, due < min(end.limit, sent.advanced(by: limits.request)) {
            stage.expect(response?.status == "200", "a request that came in time got no response")
        }
        return response?.status == "200" && end.began > .now
    }
}
