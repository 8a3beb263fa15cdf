import EventLoop
import Foundation
import Host

/// Clients of event streams and of the admin API that run on their own thread until a deadline. Each response is
/// checked.
struct SoakCrowd: Sendable {
    private static let streams = 8

    private let tally = Locked(SoakTally())
    private let result = BlockingPromise<SoakTally>()
    private let token: String

    init(_ ports: [Int], token: String, until end: Deadline) throws {
        self.token = token
        let loop = try EventLoop(name: "soak")
        Task(executorPreference: loop) { [self] in
            await withTaskGroup { group in
                for port in ports {
                    for _ in 0..<Self.streams / ports.count {
                        group.addTask(executorPreference: loop) { await follow(port, until: end, on: loop) }
                    }
                }
                // There is only one curator, because two would reject each other's changes.
                group.addTask(executorPreference: loop) { await curate(ports[0], until: end, on: loop) }
            }
            result.fulfill(tally.withLock { $0 })
        }
    }

    func waitForEnd() -> SoakTally { result.wait() }

    /// Opens a stream, waits for its initial changes and for those of the next edit, and opens another one.
    private func follow(_ port: Int, until end: Deadline, on loop: EventLoop) async {
        while Deadline.now < end {
            do {
                let socket = try await ClientSocket(port: port, on: loop)
                try await socket.get(SoakStream.path)
                var stream = SoakStream()
                while stream.events < 2, Deadline.now < end { try stream.receive(try await socket.receive()) }
                tally.withLock { $0.count(.stream, stream.status ?? 0, expected: 200, SoakStream.path) }
            } catch {
                tally.withLock { $0.fail(.stream, "\(SoakStream.path): \(error)") }
                // The pause limits the requests to a server that fails immediately.
                do { try await loop.sleep(until: .after(.milliseconds(200))) } catch { return }
            }
        }
    }

    private func curate(_ port: Int, until end: Deadline, on loop: EventLoop) async {
        while Deadline.now < end {
            do {
                let socket = try await ClientSocket(port: port, on: loop)
                var tag = ""
                var record: [UInt8] = []
                for operation in SoakOperation.all {
                    let response = try await socket.exchange(operation.request(token: token, tag: tag, record: record))
                    tally.withLock { $0.count(.admin, response.status, expected: operation.status, operation.description) }
                    guard response.status == operation.status else { break }
                    tag = response["etag"].map(String.init) ?? tag
                    if operation.isRecord { record = try SoakOperation.record(in: response.body) }
                }
                try await loop.sleep(until: .after(.milliseconds(200)))
            } catch {
                tally.withLock { $0.fail(.admin, "admin: \(error)") }
                do { try await loop.sleep(until: .after(.milliseconds(200))) } catch { return }
            }
        }
    }
}

extension ClientSocket {
    fileprivate func exchange(_ request: [UInt8]) async throws -> ReceivedResponse {
        try await send(request)
        return try await response()
    }
}
