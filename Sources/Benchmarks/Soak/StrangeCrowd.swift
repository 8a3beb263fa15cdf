import EventLoop
import Foundation
import Host

/// Sequences of strange clients that run concurrently until a deadline.
struct StrangeCrowd: Sendable {
    struct Tally: Sendable {
        var visits = 0
        /// The missing responses to slow clients.
        var failures: [String] = []
    }

    private let tally = Locked(Tally())
    private let result = BlockingPromise<Tally>()

    /// Starts immediately on its own thread.
    init(_ ports: (plain: Int, encrypted: Int), until end: Deadline) throws {
        let loop = try EventLoop(name: "strange")
        Task(executorPreference: loop) { [self] in
            await withTaskGroup { group in
                for index in 0..<48 { group.addTask(executorPreference: loop) { await come(from: index, ports, until: end, on: loop) } }
            }
            result.fulfill(tally.withLock { $0 })
        }
    }

    func waitForEnd() -> Tally { result.wait() }

    private func come(from index: Int, _ ports: (plain: Int, encrypted: Int), until end: Deadline, on loop: EventLoop) async {
        // Each sequence has one kind of client, so that the numbers of all kinds stay constant. Growing peaks would
        // look like a leak.
        let kind = StrangeClient.allCases[index % StrangeClient.allCases.count]
        var isAbrupt = false
        while Deadline.now < end {
            isAbrupt.toggle()
            var failure: String?
            do {
                if try await !kind.visit(ports, on: loop, isAbrupt: isAbrupt) { failure = "\(kind): unexpected response" }
            } catch {
                failure = "\(kind): \(error)"
            }
            tally.withLock { tally in
                tally.visits += 1
                if kind.isOwedResponses, let failure { tally.failures.append(failure) }
            }
            do { try await loop.sleep(until: .after(.milliseconds(500))) } catch { return }
        }
    }
}
