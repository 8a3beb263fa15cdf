import EventLoop
import Foundation
import Host

/// Clients that have all there is, and wait for the next change on a connection each.
final class WaitingCrowd {
    private let loop: EventLoop
    private let answers = Locked<[ContinuousClock.Instant]>([])
    private let failures = Locked<[String]>([])
    private let client: Task<Void, Never>
    let count: Int

    /// Returns when all of them wait.
    init(_ count: Int, at server: VitrineServer, after cursor: String) throws {
        self.count = count
        let loop = try EventLoop(name: "crowd")
        self.loop = loop
        let target = SyncedSite.path("wait=60", after: cursor)
        client = Task(executorPreference: loop) { [port = server.port, answers, failures] in
            await withTaskGroup(of: Void.self) { group in
                for place in 0..<count {
                    group.addTask {
                        do {
                            let socket = try await ClientSocket(port: port, on: loop, window: 4_096, timeout: .seconds(120))
                            try await socket.get(target)
                            let head = try await socket.receive(atMost: 1_024)
                            guard head.starts(with: Array("HTTP/1.1 200".utf8)) else {
                                throw BenchmarkFailure(reason: String(decoding: head, as: UTF8.self))
                            }
                            answers.withLock { $0.append(.now) }
                        } catch {
                            failures.withLock { $0.append("\(error)") }
                        }
                    }
                    // No more than the system lets stand in front of a door.
                    if place % 500 == 499 { do { try await loop.sleep(until: .after(.milliseconds(20))) } catch { return } }
                }
            }
        }
        try server.wait(for: "vitrine_sync_waiting_clients") { $0 >= count || !failures.withLock(\.isEmpty) }
        try check()
    }

    /// When each was answered from a moment on, the first first.
    func times(since start: ContinuousClock.Instant) throws -> [Duration] {
        for _ in 0..<600 where answers.withLock(\.count) < count {
            try check()
            usleep(50_000)
        }
        let times = answers.withLock { $0.map { start.duration(to: $0) } }.sorted()
        guard times.count == count else { throw BenchmarkFailure(reason: "\(times.count) of \(count) were answered") }
        loop.beginStop()
        return times
    }

    private func check() throws {
        if let failure = failures.withLock(\.first) { throw BenchmarkFailure(reason: failure) }
    }
}
