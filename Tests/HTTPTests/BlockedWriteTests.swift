import EventLoop
import Glibc
import HTTPMessages
import Host
import Testing

@testable import HTTP

@Suite("A TLS connection whose write waits for input")
struct BlockedWriteTests {
    /// A transport that writes nothing until it has read a zero, and then the given number of bytes for each zero.
    private final class LockedTransport: Transport {
        private let socket: Descriptor
        private let bytesOfZero: Int
        private var room = 0
        private(set) var writes = 0

        init(_ socket: consuming Descriptor, bytesOfZero: Int = .max) {
            self.socket = socket
            self.bytesOfZero = bytesOfZero
        }

        var descriptor: Int32 { socket.number }
        var isEncrypted: Bool { true }
        var applicationProtocol: String? { nil }
        var hasBufferedInput: Bool { false }
        func prepare() -> TransportProgress { .moved(0) }
        func finish() {}

        func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportProgress {
            let count = recv(socket.number, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else { return count == 0 ? .ended : .blocked(on: .readable) }
            guard buffer[0] == 0 else { return .moved(count) }
            room = bytesOfZero
            return .blocked(on: .readable)
        }

        func write(_ vectors: UnsafeMutableBufferPointer<iovec>) -> TransportProgress {
            writes += 1
            guard room > 0, let vector = vectors.first else { return .blocked(on: .readable) }
            let count = Glibc.write(socket.number, vector.iov_base, min(room, vector.iov_len))
            room -= max(0, count)
            return count >= 0 ? .moved(count) : .failed
        }
    }

    /// Runs a body with a connection that has an unsent response and cannot send it, and with the socket of its client.
    private static func withBlocked<Result: Sendable>(
        bytesOfZero: Int = .max,
        _ body: @escaping @Sendable (Connection, LockedTransport, _ client: Int32, ServerLimits, EventLoop) async throws -> Result
    ) async throws -> Result {
        let group = try EventLoopGroup(name: "test", count: 1)
        let loop = group.loops[0]
        let result = try await Task(executorPreference: loop) {
            var numbers: [Int32] = [0, 0]
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            try #require(socketpair(AF_UNIX, kind, 0, &numbers) == 0)
            let client = Descriptor(owning: numbers[1])
            let transport = LockedTransport(Descriptor(owning: numbers[0]), bytesOfZero: bytesOfZero)
            let limits = ServerLimits()
            let server = ServerLoop(loop, service: .sample, limits: limits, encryption: nil, totals: ServerTotals(limits))
            try server.start([])
            let connection = Connection(
                .other(transport), peer: .init(address: "unix", isEncrypted: true), admission: .unlimited, server: server)
            try connection.start()
            let request = Array("GET /a HTTP/1.1\r\nHost: shop\r\n\r\n".utf8)
            #expect(write(client.number, request, request.count) == request.count)
            while transport.writes == 0 { try await loop.sleep(until: .now) }
            let result = try await body(connection, transport, client.number, limits, loop)
            connection.close()
            await server.shutDown(until: .now)
            return result
        }.value
        await group.stop()
        return result
    }

    @Test("A blocked write waits for input instead of room in the socket", .timeLimit(.minutes(1)))
    func waits() async throws {
        let turns = try await Self.withBlocked { connection, transport, client, _, loop in
            for _ in 0..<100 { try await loop.sleep(until: .now) }
            let writes = transport.writes
            #expect(connection.unsentCount > 0)
            #expect(write(client, [0] as [UInt8], 1) == 1)
            while connection.unsentCount > 0 { try await loop.sleep(until: .now) }
            var response = [UInt8](repeating: 0, count: 4_096)
            let count = recv(client, &response, response.count, 0)
            #expect(String(decoding: response.prefix(max(0, count)), as: UTF8.self).hasSuffix("GET /a 0\n"))
            return writes
        }
        #expect(turns < 5)
    }

    @Test("The write timeout starts again with each byte that the client takes", .timeLimit(.minutes(1)))
    func slowly() async throws {
        try await Self.withBlocked(bytesOfZero: 1) { connection, _, client, limits, loop in
            let before = connection.unsentCount
            let time = Delay(limits.write)
            let end = time.fromNow
            #expect(before > 2 && connection.isLate(at: end))
            // The clock of deadlines is coarse.
            while time.fromNow == end { try await loop.sleep(until: .now) }
            #expect(write(client, [0] as [UInt8], 1) == 1)
            while connection.unsentCount == before { try await loop.sleep(until: .now) }
            #expect(connection.unsentCount == before - 1 && !connection.isLate(at: end))
            #expect(connection.isLate(at: .after(limits.write)))
        }
    }
}
