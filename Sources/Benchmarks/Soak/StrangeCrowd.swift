import EventLoop
import Foundation
import Host

/// Strange clients, one after another in many places, until the time is over.
struct StrangeCrowd: Sendable {
    struct Tally: Sendable {
        var visits = 0
        /// Answers that a slow client is owed and did not get.
        var failures: [String] = []
    }

    private let tally = Locked(Tally())
    private let result = Handover<Tally>()

    /// Comes at once, from a thread of its own.
    init(_ ports: (plain: Int, encrypted: Int), until end: Deadline) throws {
        let loop = try EventLoop(name: "strange")
        Task(executorPreference: loop) { [self] in
            await withTaskGroup { group in
                for place in 0..<48 { group.addTask(executorPreference: loop) { await come(from: place, ports, until: end, on: loop) } }
            }
            result.put(tally.withLock { $0 })
        }
    }

    func waitForEnd() -> Tally { result.take() }

    private func come(from place: Int, _ ports: (plain: Int, encrypted: Int), until end: Deadline, on loop: EventLoop) async {
        let kinds = StrangeClient.allCases
        var visit = place
        while Deadline.now < end {
            let kind = kinds[visit % kinds.count]
            var failure: String?
            do {
                if try await !kind.visit(ports, on: loop, isAbrupt: visit / kinds.count % 2 == 0) { failure = "\(kind): not its answer" }
                try await loop.sleep(until: .after(.milliseconds(50)))
            } catch {
                failure = "\(kind): \(error)"
            }
            tally.withLock { tally in
                tally.visits += 1
                if kind.isOwedAnswers, let failure { tally.failures.append(failure) }
            }
            visit += 1
        }
    }
}
