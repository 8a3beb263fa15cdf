import EventLoop
import Glibc

@testable import HTTP

/// A transport that keeps the bytes that it accepts: of each write at most the next of the given numbers. After those, it
/// accepts everything.
final class CollectingTransport: Transport {
    var bytes: [UInt8] = []
    /// The numbers of bytes that the next writes accept. Without room, a write is blocked.
    var rooms: [Int] = []

    var descriptor: Int32 { -1 }
    var isEncrypted: Bool { false }
    var applicationProtocol: String? { nil }
    var hasBufferedInput: Bool { false }
    func prepare() -> TransportProgress { .moved(0) }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportProgress { .blocked(on: .readable) }
    func finish() {}

    func write(_ vectors: UnsafeMutableBufferPointer<iovec>) -> TransportProgress {
        let count = vectors.reduce(0) { $0 + $1.iov_len }
        let room = rooms.isEmpty ? count : min(count, rooms.removeFirst())
        guard room > 0 || count == 0 else { return .blocked(on: .writable) }
        var rest = room
        for vector in vectors {
            let part = min(rest, vector.iov_len)
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: vector.iov_base, count: part))
            rest -= part
        }
        return .moved(room)
    }
}

extension OutputBuffer {
    /// Removes the output and returns its bytes.
    func takeBytes() -> [UInt8] {
        let transport = CollectingTransport()
        var backlog = PendingOutput()
        _ = flush(through: transport, backlog: &backlog)
        return transport.bytes
    }
}
