import EventLoop
import Glibc
import HTTPMessages
import Host
import Testing

@testable import HTTP

@Suite("A connection whose write wants to read")
struct BlockedWriteTests {
    /// Writes nothing until a zero has come.
    private final class LockedTransport: Transport {
        private let socket: Descriptor
        private var isUnlocked = false
        private(set) var writes = 0

        init(_ socket: consuming Descriptor) { self.socket = socket }

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
            isUnlocked = true
            return .blocked(on: .readable)
        }

        func write(_ vectors: UnsafeMutableBufferPointer<iovec>) -> TransportProgress {
            writes += 1
            guard isUnlocked else { return .blocked(on: .readable) }
            let count = writev(socket.number, vectors.baseAddress, Int32(vectors.count))
            return count >= 0 ? .moved(count) : .failed
        }
    }

    @Test("Waits for input, and not for room that there is", .timeLimit(.minutes(1)))
    func waits() async throws {
        let group = try EventLoopGroup(name: "test", count: 1)
        let loop = group.loops[0]
        let turns = try await Task(executorPreference: loop) {
            var numbers: [Int32] = [0, 0]
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            try #require(socketpair(AF_UNIX, kind, 0, &numbers) == 0)
            let client = Descriptor(owning: numbers[1])
            let transport = LockedTransport(Descriptor(owning: numbers[0]))
            let limits = ServerLimits()
            let server = ServerLoop(loop, service: .sample, limits: limits, encryption: nil, totals: ServerTotals(limits))
            try server.start([])
            let connection = Connection(
                transport, peer: .init(address: "unix", isEncrypted: true), admission: .unlimited, server: server)
            try connection.start()
            let request = Array("GET /a HTTP/1.1\r\nHost: shop\r\n\r\n".utf8)
            #expect(write(client.number, request, request.count) == request.count)
            while transport.writes == 0 { try await loop.sleep(until: .now) }
            for _ in 0..<100 { try await loop.sleep(until: .now) }
            let writes = transport.writes
            #expect(connection.unsentCount > 0)
            #expect(write(client.number, [0] as [UInt8], 1) == 1)
            while connection.unsentCount > 0 { try await loop.sleep(until: .now) }
            var answer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(client.number, &answer, answer.count, 0)
            #expect(String(decoding: answer.prefix(max(0, count)), as: UTF8.self).hasSuffix("GET /a 0\n"))
            connection.close()
            await server.drain(until: .now)
            return writes
        }.value
        #expect(turns < 5)
        await group.stop()
    }
}
