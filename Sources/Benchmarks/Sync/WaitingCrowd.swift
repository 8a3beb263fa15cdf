import EventLoop
import Foundation
import Host

/// Clients with an up-to-date local copy, each of which waits on its own connection for the next change.
final class WaitingCrowd {
    private let loop: EventLoop
    private let responses = Locked<[ContinuousClock.Instant]>([])
    private let failures = Locked<[String]>([])
    private let client: Task<Void, Never>
    let count: Int

    /// Returns after all clients wait.
    init(_ count: Int, at server: VitrineServer, after cursor: String) throws {
        self.count = count
        let loop = try EventLoop(name: "crowd")
        self.loop = loop
        let target = SyncedSite.path("wait=60", after: cursor)
        client = Task(executorPreference: loop) { [port = server.port, responses, failures] in
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<count {
                    group.addTask {
                        do {
                            let socket = try await ClientSocket(port: port, on: loop, window: 4_096, timeout: .seconds(120))
                            try await socket.get(target)
                            let head = try await socket.receive(atMost: 1_024)
                            guard head.starts(with: Array("HTTP/1.1 200".utf8)) else {
                                throw BenchmarkFailure(reason: String(decoding: head, as: UTF8.self))
                            }
                            responses.withLock { $0.append(.now) }
                        } catch {
                            failures.withLock { $0.append("\(error)") }
                        }
                    }
                    // The pause keeps the number of pending connections below the limit of the system.
                    if index % 500 == 499 { do { try await loop.sleep(until: .after(.milliseconds(20))) } catch { return } }
                }
            }
        }
        try server.wait(for: "vitrine_sync_waiting_clients") { $0 >= count || !failures.withLock(\.isEmpty) }
        try check()
    }

    /// Returns the delays of all responses after a time, in ascending order.
    func times(since start: ContinuousClock.Instant) throws -> [Duration] {
        for _ in 0..<600 where responses.withLock(\.count) < count {
            try check()
            usleep(50_000)
        }
        let times = responses.withLock { $0.map { start.duration(to: $0) } }.sorted()
        guard times.count == count else { throw BenchmarkFailure(reason: "\(times.count) of \(count) clients received a response") }
        loop.requestStop()
        return times
    }

    private func check() throws {
        if let failure = failures.withLock(\.first) { throw BenchmarkFailure(reason: failure) }
    }
}
