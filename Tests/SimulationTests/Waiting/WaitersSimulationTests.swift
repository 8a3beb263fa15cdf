import EventLoop
import Feeds
import HTTPMessages
import Host
import Testing

@testable import API

@Suite("The sync wait queue in virtual time")
struct WaitersSimulationTests {
    /// The interval at which due waiters are woken.
    private static let turn = Duration.milliseconds(10)
    private static let slack = turn + Simulation.lateness * 3

    /// The published heads with their times, and the time since which nothing waits.
    private struct History: Sendable {
        var heads: [(head: PublishedHead, at: Deadline)] = []
        var stopped: Deadline?
        var admitted = 0

        /// Returns the time of the first publication that is newer than the given head for a waiter that started at the given time.
        func news(after head: PublishedHead, since start: Deadline) -> Deadline? {
            let known = heads.last { $0.at <= start }.map { $0.head.isNewer(after: head) ? start : nil } ?? nil
            return known ?? heads.first { $0.at > start && $0.head.isNewer(after: head) }?.at
        }
    }

    private struct Room: Sendable {
        static let limit = 70

        let pace: SyncWaitQueue.Pace
        let waiters: SyncWaitQueue
        let history = Locked(History())

        /// Draws a random pace. A herd is a crowd above a minimum size.
        init(_ chance: Chance) {
            var pace = SyncWaitQueue.Pace()
            pace.atOnce = chance.below(20)
            pace.herd = chance.number(in: 1...60)
            pace.longest = chance.duration(in: .milliseconds(20)...(.milliseconds(400)))
            pace.pollInterval = chance.duration(in: .milliseconds(10)...(.milliseconds(200)))
            self.pace = pace
            waiters = SyncWaitQueue(limit: Self.limit, addresses: AddressCounts(limit: 20), pace: pace)
        }
    }

    @Test("A waiter is woken once, by a publication or its deadline, and none remains after the server stops")
    func waiters() async throws {
        try await ScenarioSeeds.play("waiters", longest: .seconds(60)) { stage in
            let room = Room(stage.chance)
            let crowd = stage.chance.happens(1, in: 4) ? 100 : 12
            let waking = Task(executorPreference: stage.loop) {
                while true {
                    room.waiters.wakeSome()
                    do { try await stage.sleep(Self.turn) } catch { return }
                }
            }
            await withTaskGroup { group in
                for _ in 0..<stage.chance.number(in: 1...crowd) {
                    group.addTask(executorPreference: stage.loop) { await Self.come(room, stage) }
                }
                group.addTask(executorPreference: stage.loop) { await Self.publish(in: room, stage) }
            }
            waking.cancel()
            await waking.value
            stage.expect(room.waiters.count == 0, "\(room.waiters.count) places were not given back")
        }
    }

    private static func publish(in room: Room, _ stage: Stage) async {
        var (version, epoch) = (1, 1)
        for _ in 0..<stage.chance.number(in: 0...6) {
            await stage.sleepAnyhow(stage.chance.duration(upTo: .milliseconds(800)))
            if stage.chance.happens(1, in: 8) { epoch += 1 } else { version += stage.chance.number(in: 0...1) }
            let head = PublishedHead(epoch: epoch, version: version, isComplete: stage.chance.happens(3, in: 4))
            // A repeated head is not newer.
            room.history.withLock { if $0.heads.last?.head != head { $0.heads.append((head, .now)) } }
            room.waiters.publish(head)
        }
        await stage.sleepAnyhow(stage.chance.duration(upTo: .seconds(2)))
        room.history.withLock { $0.stopped = .now }
        room.waiters.stop()
    }

    /// Waits a few times, if the queue admits the client.
    private static func come(_ room: Room, _ stage: Stage) async {
        let address = "10.0.0.\(stage.chance.below(5))"
        for _ in 0..<stage.chance.number(in: 1...3) {
            await stage.sleepAnyhow(stage.chance.duration(upTo: .milliseconds(700)))
            guard let admission = room.waiters.admit(from: address) else { continue }
            let admitted = room.history.withLock { history in
                history.admitted += 1
                return history.admitted
            }
            stage.expect(admitted <= Room.limit, "\(admitted) have places")
            await wait(room, stage)
            room.history.withLock { $0.admitted -= 1 }
            admission.leave()
        }
    }

    private static func wait(_ room: Room, _ stage: Stage) async {
        let known = room.history.withLock { $0.heads.map(\.head) }
        let seen =
            known.isEmpty ? PublishedHead(epoch: 1, version: 1) : known[stage.chance.number(in: max(0, known.count - 2)...known.count - 1)]
        let (start, deadline) = (Deadline.now, Deadline.after(stage.chance.duration(upTo: .seconds(1))))
        let timeout = stage.chance.happens(1, in: 4) ? stage.chance.duration(upTo: .milliseconds(40)) * 15 : nil
        let waiting = Task(executorPreference: stage.loop) { await room.waiters.wait(after: seen, until: deadline) }
        let leaving = timeout.map { timeout in
            Task(executorPreference: stage.loop) {
                if timeout > .zero { await stage.sleepAnyhow(timeout) }
                waiting.cancel()
            }
        }
        let outcome = await waiting.value
        stage.note("\(outcome)")
        judge(outcome, seen, from: start, until: deadline, left: timeout.map(start.advanced), room, stage)
        await leaving?.value
    }

    private static func judge(
        _ outcome: SyncWaitQueue.Outcome, _ known: PublishedHead, from start: Deadline, until deadline: Deadline, left: Deadline?,
        _ room: Room, _ stage: Stage
    ) {
        let (now, history) = (Deadline.now, room.history.withLock { $0 })
        let updates = history.news(after: known, since: start)
        switch outcome {
        case .published: stage.expect(updates.map { $0 <= now } ?? history.heads.contains { $0.at >= start }, "woken without news")
        case .timedOut: stage.expect(deadline <= now, "its time was over before the deadline")
        case .stopping: stage.expect(history.stopped != nil, "told of a stop that nobody began")
        case .closed: stage.expect(false, "told of a closed storefront that nobody closed")
        case .left: stage.expect(left.map { $0 <= now } ?? false, "left though nobody went")
        }
        stage.expect(now <= max(start, deadline).advanced(by: room.pace.pollInterval + slack), "waited beyond its deadline")
        if let updates {
            // Each publication restarts the time of a herd.
            let count = history.heads.count { $0.at >= updates && $0.at <= now }
            let longest = room.pace.longest * max(1, count) + slack
            stage.expect(now <= updates.advanced(by: longest), "told of news after \(now.duration(since: updates))")
        }
        if let stopped = history.stopped { stage.expect(now <= max(stopped, start), "waited beyond the stop") }
        if let left { stage.expect(now <= left.advanced(by: Simulation.lateness), "waited though it had left") }
    }
}
