import Postgres
import TestSupport

/// A randomized owner, server and set of users of a pool, which checks every action against the pool's guarantees.
final class PoolWorld {
    private enum Phase { case connecting, idle, leased, checking, closing }

    private(set) var violations: [String] = []
    private var pool: PoolState
    private var random: SeededRandom
    private var now = PoolInstant(.zero)
    private var timer: PoolInstant?
    private var connections: [(id: PoolConnectionID, phase: Phase)] = []
    private var gone: [PoolConnectionID] = []
    private var waiting: [PoolRequest] = []
    private var requests: UInt64 = 0
    private var responses = 0
    private var finishes = 0
    private var isClosing = false

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        let minimum = Int.random(in: 0...3, using: &random)
        var limits = PoolLimits(minimum: minimum, maximum: max(1, minimum + Int.random(in: 0...3, using: &random)))
        limits.maxWaiting = Int.random(in: 1...12, using: &random)
        limits.idleTime = .milliseconds(Int.random(in: 1...500, using: &random))
        limits.lifeTime = .milliseconds(Int.random(in: 50...2_000, using: &random))
        limits.backOff = BackOff(first: .milliseconds(2), longest: .milliseconds(100))
        pool = PoolState(limits)
    }

    /// Sends that many random events, shuts down, and responds until the pool has finished.
    func live(events: Int) {
        send(.started)
        for _ in 0..<events where violations.isEmpty { send(event()) }
        isClosing = true
        send(.shutDown(deadline: now.advanced(by: .milliseconds(Int.random(in: 0...50, using: &random)))))
        for _ in 0..<events where finishes == 0 && violations.isEmpty { send(event()) }
        while let timer, timer > now, connections.contains(where: { $0.phase == .leased }) {
            now = timer
            send(.timerFired)
        }
        while let closing = connections.first(where: { $0.phase == .closing }) { send(.closed(closing.id)) }
        check(connections.isEmpty, "a connection was lost: \(connections)")
        check(finishes == 1, "finished \(finishes) times")
        check(responses == Int(requests), "\(responses) responses for \(requests) requests")
    }

    private func event() -> PoolEvent {
        if Bool.random(using: &random) { now = now.advanced(by: .milliseconds(Int.random(in: 0...20, using: &random))) }
        if let timer, timer <= now { return .timerFired }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6:
            requests += 1
            let timeout = Duration.milliseconds(Int.random(in: 0...200, using: &random))
            return .requested(PoolRequest(PoolWaiterID(requests), deadline: now.advanced(by: timeout)))
        case 6: return .cancelled(PoolWaiterID(UInt64.random(in: 0...requests, using: &random)))
        case 7: return gone.randomElement(using: &random).map { stray($0) } ?? .timerFired
        default: return connections.randomElement(using: &random).map { next($0.id, $0.phase) } ?? .timerFired
        }
    }

    /// Returns an event that is possible for a connection in this phase, and sometimes an impossible one.
    private func next(_ id: PoolConnectionID, _ phase: Phase) -> PoolEvent {
        let isUnlucky = Int.random(in: 0..<4, using: &random) == 0
        if isUnlucky, Bool.random(using: &random), phase != .closing { return phase == .leased ? .lost(id) : stray(id, in: phase) }
        return switch phase {
        case .connecting: isUnlucky ? .connectFailed(id, Bool.random(using: &random) ? .away : .final) : .connected(id)
        case .idle: isUnlucky ? .lost(id) : .timerFired
        case .leased: .returned(id, isUnlucky ? .broken : Bool.random(using: &random) ? .clean : .uncertain)
        case .checking: .checked(id, isHealthy: !isUnlucky)
        case .closing: .closed(id)
        }
    }

    private func stray(_ id: PoolConnectionID, in phase: Phase? = nil) -> PoolEvent {
        let candidates: [(PoolEvent, legalIn: Phase?)] = [
            (.connected(id), .connecting), (.connectFailed(id, .away), .connecting), (.returned(id, .clean), .leased),
            (.checked(id, isHealthy: true), .checking), (.closed(id), .closing),
        ]
        return candidates.filter { phase == nil || $0.legalIn != phase }.map(\.0).randomElement(using: &random) ?? .timerFired
    }

    private func send(_ event: PoolEvent) {
        note(event)
        for action in pool.handle(event, at: now, random: &random) { run(action, after: event) }
        let limits = pool.limits
        check(connections.count <= limits.maximum, "\(connections.count) connections of \(limits.maximum) after \(event)")
        check(waiting.count <= limits.maxWaiting, "\(waiting.count) wait, \(limits.maxWaiting) may")
        check(waiting.isEmpty || phases(.idle).isEmpty, "somebody waits beside an idle connection after \(event)")
        check(waiting.allSatisfy { $0.deadline > now }, "somebody waits beyond the deadline after \(event)")
        if let earliest = waiting.map(\.deadline).min() {
            check(timer.map { $0 <= earliest } ?? false, "no timer for the earliest deadline after \(event)")
        }
    }

    /// Updates the world for an event, if it is possible.
    private func note(_ event: PoolEvent) {
        switch event {
        case .requested(let request): waiting.append(request)
        case .connected(let id): move(id, from: .connecting, to: .idle)
        case .returned(let id, let condition): move(id, from: .leased, to: condition == .clean ? .idle : .checking)
        case .checked(let id, _): move(id, from: .checking, to: .idle)
        case .connectFailed(let id, _): remove(id, in: .connecting)
        case .closed(let id): remove(id, in: .closing)
        case .timerFired: timer = nil
        case .started, .cancelled, .lost, .shutDown: break
        }
    }

    private func run(_ action: PoolAction, after event: PoolEvent) {
        check(finishes == 0 || isResult(action), "\(action) after the end")
        switch action {
        case .connect(let id):
            check(!isClosing && !gone.contains(id) && phase(of: id) == nil, "\(action) after \(event)")
            connections.append((id, .connecting))
        case .close(let id):
            check(phase(of: id).map { $0 != .closing } ?? false, "\(action) after \(event)")
            check(isClosing || phase(of: id) != .leased, "\(action) of a lease after \(event)")
            if let phase = phase(of: id) { move(id, from: phase, to: .closing) }
        case .check(let id):
            check(event == .returned(id, .uncertain) && phase(of: id) == .checking, "\(action) after \(event)")
        case .lease(let id, let waiter):
            check(phase(of: id) == .idle, "\(action) in phase \(phase(of: id) as Any)")
            check(waiting.first?.waiter == waiter, "\(action) out of order")
            move(id, from: .idle, to: .leased)
            respond(to: waiter)
        case .fail(let waiter, let failure):
            if failure == .deadlinePassed || failure == .serverAway {
                check(waiting.contains { $0.waiter == waiter && $0.deadline <= now }, "\(action) too early")
            }
            if failure == .cancelled { check(event == .cancelled(waiter), "\(action) after \(event)") }
            if failure == .queueFull { check(waiting.count > pool.limits.maxWaiting, "\(action) with \(waiting.count) waiting") }
            if failure == .shuttingDown { check(isClosing, "\(action) while open") }
            respond(to: waiter)
        case .scheduleTimer(let time):
            check(time > now, "\(action) at \(now)")
            timer = time
        case .finish:
            check(connections.isEmpty, "finished with \(connections)")
            finishes += 1
        }
    }

    private func isResult(_ action: PoolAction) -> Bool {
        if case .fail(_, .shuttingDown) = action { true } else { false }
    }

    private func respond(to waiter: PoolWaiterID) {
        let count = waiting.count
        waiting.removeAll { $0.waiter == waiter }
        check(waiting.count == count - 1, "\(waiter) got two responses")
        responses += 1
    }

    private func phases(_ phase: Phase) -> [PoolConnectionID] { connections.filter { $0.phase == phase }.map(\.id) }

    private func phase(of id: PoolConnectionID) -> Phase? { connections.first { $0.id == id }?.phase }

    private func move(_ id: PoolConnectionID, from previous: Phase, to phase: Phase) {
        if let index = connections.firstIndex(where: { $0.id == id && $0.phase == previous }) { connections[index].phase = phase }
    }

    private func remove(_ id: PoolConnectionID, in phase: Phase) {
        guard let index = connections.firstIndex(where: { $0.id == id && $0.phase == phase }) else { return }
        connections.remove(at: index)
        gone.append(id)
    }

    private func check(_ holds: Bool, _ violation: @autoclosure () -> String) {
        if !holds { violations.append("\(now.sinceOrigin): \(violation())") }
    }
}
