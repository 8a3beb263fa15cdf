internal import EventLoop
internal import Glibc
internal import Host
internal import Security

final class TLSTransport: Transport {
    /// The maximum size of a TLS record. Smaller records cost a header and a system call each.
    private static let recordBytes = 16_384

    private let socket: Descriptor
    private let session: TLSSession

    /// Returns nil if memory is exhausted.
    init?(_ socket: consuming Descriptor, _ context: TLSContext) {
        guard let session = TLSSession(context, socket: socket.number) else { return nil }
        self.session = session
        self.socket = socket
    }

    /// Creates the client's side, which verifies that the server has this name. Returns nil if it is not a valid host name.
    init?(_ socket: consuming Descriptor, _ context: TLSContext, of host: String) {
        guard let session = TLSSession(context, connectingTo: host, socket: socket.number) else { return nil }
        self.session = session
        self.socket = socket
    }

    var verificationFailure: String? { session.verificationFailure }

    var descriptor: Int32 { socket.number }
    var isEncrypted: Bool { true }
    var applicationProtocol: String? { session.applicationProtocol }
    var hasBufferedInput: Bool { session.hasBufferedInput }

    func prepare() -> TransportProgress { TransportProgress(session.handshake()) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportProgress { TransportProgress(unsafe session.read(into: buffer)) }

    /// Gathers bytes of several buffers into whole records.
    func write(_ vectors: UnsafeMutableBufferPointer<iovec>) -> TransportProgress {
        unsafe withUnsafeTemporaryAllocation(byteCount: Self.recordBytes, alignment: 16) { record in
            var moved = 0
            var position = (vector: 0, offset: 0)
            while true {
                let filled = unsafe fill(record, from: vectors, &position)
                guard filled > 0 else { return .moved(moved) }
                switch unsafe session.write(UnsafeRawBufferPointer(rebasing: record[..<filled])) {
                case .moved(let count):
                    moved += count
                    if count < filled { return .moved(moved) }
                case let blocker: return moved > 0 ? .moved(moved) : TransportProgress(blocker)
                }
            }
        }
    }

    func finish() {
        session.finish()
        _ = shutdown(socket.number, Int32(SHUT_WR))
    }

    private func fill(
        _ record: UnsafeMutableRawBufferPointer, from vectors: UnsafeMutableBufferPointer<iovec>,
        _ position: inout (vector: Int, offset: Int)
    ) -> Int {
        var filled = 0
        while position.vector < vectors.count, filled < record.count {
            let vector = unsafe vectors[position.vector]
            let count = unsafe min(vector.iov_len - position.offset, record.count - filled)
            if count > 0, let source = unsafe vector.iov_base, let target = record.baseAddress {
                unsafe (target + filled).copyMemory(from: source + position.offset, byteCount: count)
            }
            filled += count
            position.offset += count
            if unsafe position.offset == vector.iov_len { position = (position.vector + 1, 0) }
        }
        return filled
    }
}

extension TransportProgress {
    fileprivate init(_ progress: TLSSession.Progress) {
        self =
            switch progress {
            case .moved(let count): .moved(count)
            case .needsInput: .blocked(on: .readable)
            case .needsRoom: .blocked(on: .writable)
            case .ended: .ended
            case .failed: .failed
            }
    }
}
