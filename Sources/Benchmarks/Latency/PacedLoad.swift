import CEpoll
import Foundation

/// A client that sends requests at a constant rate over persistent connections, whether or not responses arrive.
///
/// It sends and receives in steps of a tenth of a millisecond, so that the database can use the rest of its core. If it
/// woke up for each request and each response, no rest would be left.
final class PacedLoad {
    private struct Connection {
        let socket: Int32
        let buffer: UnsafeMutableRawPointer
        var received = 0
        var extent: ResponseExtent?
        var due = 0
        var freeSince = 0
    }

    private static let bufferSize = 1 << 18
    /// The time after the last request in which all responses must have arrived.
    private static let grace = 5_000_000_000
    /// The nanoseconds between two steps.
    private static let step = 100_000

    private let request: [UInt8]
    private let queue: Int32
    private var schedule: PacedSchedule
    private var connections: [Connection] = []
    /// The free connections, of which the one that has been free for the longest time sends next.
    private var free: [Int]
    private var firstFree = 0
    private var freeCount: Int
    /// The body of the last response.
    private var body: [UInt8] = []
    private var changes = 0
    private var start = ContinuousClock.now

    init(port: Int, request: [UInt8], _ schedule: PacedSchedule, connections count: Int = Load.connections) throws {
        self.request = request
        self.schedule = schedule
        free = Array(0..<count)
        freeCount = count
        queue = epoll_create1(0)
        guard queue >= 0 else { throw LocalSocket.failure("epoll_create1") }
        for index in 0..<count {
            let socket = try LocalSocket.connected(to: port)
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
            guard epoll_ctl(queue, EPOLL_CTL_ADD, socket, &event) == 0 else { throw LocalSocket.failure("epoll_ctl") }
            connections.append(Connection(socket: socket, buffer: .allocate(byteCount: Self.bufferSize, alignment: 16)))
        }
    }

    deinit {
        for connection in connections {
            close(connection.socket)
            connection.buffer.deallocate()
        }
        close(queue)
    }

    /// Sends all requests and waits for their responses.
    func run() throws -> PacedOutcome {
        var events = [epoll_event](repeating: epoll_event(), count: connections.count)
        // By default, the kernel wakes a process up to 50 µs later.
        try Data("1".utf8).write(to: URL(fileURLWithPath: "/proc/self/timerslack_ns"))
        start = .now
        let end = schedule.end + Self.grace
        while !schedule.isFinished {
            while let due = schedule.due, due <= now, freeCount > 0 { try send() }
            guard now < end else {
                throw BenchmarkFailure(reason: "\(schedule.count - schedule.latencies.count) of \(schedule.count) requests got no response")
            }
            sleep(until: (now / Self.step + 1) * Self.step)
            let count = epoll_wait(queue, &events, Int32(events.count), 0)
            for event in events.prefix(Int(max(0, count))) { try receive(Int(event.data.u64)) }
        }
        return PacedOutcome(schedule, changes: changes)
    }

    /// The nanoseconds since the start.
    private var now: Int {
        let (seconds, attoseconds) = start.duration(to: .now).components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }

    private func sleep(until time: Int) {
        var rest = timespec(tv_sec: 0, tv_nsec: max(0, time - now))
        nanosleep(&rest, nil)
    }

    private func send() throws {
        let index = free[firstFree]
        firstFree = (firstFree + 1) % free.count
        freeCount -= 1
        connections[index].due = schedule.send(at: now, freeSince: connections[index].freeSince)
        let sent = Foundation.send(connections[index].socket, request, request.count, Int32(MSG_NOSIGNAL))
        guard sent == request.count else { throw LocalSocket.failure("send") }
    }

    private func receive(_ index: Int) throws {
        let received = connections[index].received
        let buffer = connections[index].buffer
        let count = recv(connections[index].socket, buffer + received, Self.bufferSize - received, 0)
        if count < 0, errno == EAGAIN { return }
        guard count > 0 else { throw count == 0 ? BenchmarkFailure(reason: "the server closed a connection") : LocalSocket.failure("recv") }
        connections[index].received += count
        let bytes = UnsafeRawBufferPointer(start: buffer, count: received + count)
        if connections[index].extent == nil { connections[index].extent = try ResponseExtent(bytes) }
        guard let extent = connections[index].extent, bytes.count >= extent.size else { return }
        guard bytes.count == extent.size else { throw BenchmarkFailure(reason: "a response has more bytes than its length") }
        connections[index].freeSince = now
        schedule.finish(dueAt: connections[index].due, at: connections[index].freeSince)
        compare(UnsafeRawBufferPointer(rebasing: bytes[extent.head...]))
        connections[index].received = 0
        connections[index].extent = nil
        free[(firstFree + freeCount) % free.count] = index
        freeCount += 1
    }

    /// Counts a body that differs from the one before.
    private func compare(_ new: UnsafeRawBufferPointer) {
        guard new.count != body.count || !body.withUnsafeBytes({ Self.areEqual($0, new) }) else { return }
        if !body.isEmpty { changes += 1 }
        body = Array(new)
    }

    private static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard let start = one.baseAddress, let other = other.baseAddress else { return true }
        return memcmp(start, other, one.count) == 0
    }
}
