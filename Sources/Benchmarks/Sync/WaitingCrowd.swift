import CEpoll
import Foundation

/// Clients with an up-to-date local copy, each of which waits on its own connection for the next change.
///
/// They receive their responses in steps of a millisecond, and close no connection before the last response. Real clients run
/// on other machines. Those that wake up for each response, or close its connection, use the cores of the server while other
/// clients still wait.
final class WaitingCrowd {
    private static let step = UInt32(1_000)
    /// The time within which all clients must have a response.
    private static let longest = Duration.seconds(30)

    let count: Int
    private let queue: Int32
    private var sockets: [Int32] = []

    /// Returns after all clients wait.
    init(_ count: Int, at server: VitrineServer, after cursor: String) throws {
        self.count = count
        queue = epoll_create1(0)
        guard queue >= 0 else { throw LocalSocket.failure("epoll_create1") }
        let request = Array("GET \(SyncedSite.path("wait=60", after: cursor)) HTTP/1.1\r\nhost: bench\r\n\r\n".utf8)
        for index in 0..<count {
            let socket = try LocalSocket.connected(to: server.port, window: 4_096)
            sockets.append(socket)
            guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw LocalSocket.failure("send") }
            // A response that arrives in two parts is reported once.
            var event = epoll_event(events: EPOLLIN.rawValue | EPOLLONESHOT.rawValue, data: epoll_data_t(u64: UInt64(index)))
            guard epoll_ctl(queue, EPOLL_CTL_ADD, socket, &event) == 0 else { throw LocalSocket.failure("epoll_ctl") }
            // The pause keeps the number of pending connections below the limit of the system.
            if index % 100 == 99 { usleep(5_000) }
        }
        try server.wait(for: "vitrine_sync_waiting_clients") { $0 >= count }
    }

    deinit {
        for socket in sockets { close(socket) }
        close(queue)
    }

    /// Returns the delays of all responses after a time, in ascending order.
    func times(since start: ContinuousClock.Instant) throws -> [Duration] {
        var times: [Duration] = []
        var events = [epoll_event](repeating: epoll_event(), count: 1_024)
        while times.count < count {
            usleep(Self.step)
            let ready = epoll_wait(queue, &events, Int32(events.count), 0)
            let time = start.duration(to: .now)
            guard time < Self.longest else { throw BenchmarkFailure(reason: "\(times.count) of \(count) clients received a response") }
            for event in events.prefix(Int(max(0, ready))) {
                try receive(sockets[Int(event.data.u64)])
                times.append(time)
            }
        }
        return times
    }

    private func receive(_ socket: Int32) throws {
        var head = [UInt8](repeating: 0, count: 1_024)
        let received = recv(socket, &head, head.count, 0)
        guard received >= 0 else { throw LocalSocket.failure("recv") }
        guard head.prefix(received).starts(with: Array("HTTP/1.1 200".utf8)) else {
            throw BenchmarkFailure(reason: String(decoding: head.prefix(received), as: UTF8.self))
        }
    }
}
