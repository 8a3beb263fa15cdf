internal import EventLoop
internal import Glibc
internal import Host
internal import Security

final class TLSTransport: Transport {
    /// The number of reads between two sweeps from which a connection is busy.
    private static let readsOfBusy = 4

    private let socket: Descriptor
    private let session: TLSSession
    private let record: RecordBuffer
    /// The number of reads since the last sweep.
    private var recentReads = 0
    private(set) var keepsBuffers = false

    /// Creates the server's side. All connections of a loop share the record. Returns nil if memory is exhausted.
    init?(_ socket: consuming Descriptor, _ context: TLSContext, _ record: RecordBuffer) {
        guard let session = TLSSession(context, socket: socket.number) else { return nil }
        self.session = session
        self.socket = socket
        self.record = record
    }

    /// Creates the client's side, which verifies that the server has this name. Returns nil if it is not a valid host name.
    init?(_ socket: consuming Descriptor, _ context: TLSContext, of host: String) {
        guard let session = TLSSession(context, connectingTo: host, socket: socket.number) else { return nil }
        self.session = session
        self.socket = socket
        record = RecordBuffer()
    }

    var verificationFailure: String? { session.verificationFailure }

    var descriptor: Int32 { socket.number }
    var isEncrypted: Bool { true }
    var applicationProtocol: String? { session.applicationProtocol }
    var hasBufferedInput: Bool { session.hasBufferedInput }

    func prepare() -> TransportProgress { TransportProgress(session.handshake()) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportProgress {
        recentReads &+= 1
        if recentReads == Self.readsOfBusy, !keepsBuffers {
            keepsBuffers = true
            session.keepBuffers()
        }
        return TransportProgress(unsafe session.read(into: buffer))
    }

    /// Writes whole records. Bytes of one buffer that make a record are written from where they are. Bytes of several buffers
    /// are gathered.
    func write(_ vectors: UnsafeMutableBufferPointer<iovec>) -> TransportProgress {
        var moved = 0
        var position = (vector: 0, offset: 0)
        while true {
            let bytes = unsafe nextRecord(of: vectors, &position)
            guard unsafe !bytes.isEmpty else { return .moved(moved) }
            // All records of a turn leave together, instead of one packet and one wake-up of the client for each.
            switch unsafe session.write(bytes, isFollowed: hasMore(vectors, position)) {
            case .moved(let count):
                moved += count
                if count < bytes.count { return .moved(moved) }
            case let blocker: return moved > 0 ? .moved(moved) : TransportProgress(blocker)
            }
        }
    }

    func finish() {
        session.finish()
        _ = shutdown(socket.number, Int32(SHUT_WR))
    }

    /// Frees the session's buffers if nothing was read since the last call.
    ///
    /// A session allocates its buffers for each call and frees them after it, except while it is busy. So memory grows with
    /// the number of busy connections, and a connection that sends one request leaves no buffers between those of others.
    func sweep() {
        if recentReads == 0, keepsBuffers {
            keepsBuffers = false
            session.releaseBuffers()
        }
        recentReads = 0
    }

    /// Returns the bytes of the next record, which is empty at the end. It has at least the bytes of an earlier call at the
    /// same position, because libssl requires a blocked write to be repeated with them.
    private func nextRecord(
        of vectors: UnsafeMutableBufferPointer<iovec>, _ position: inout (vector: Int, offset: Int)
    ) -> UnsafeRawBufferPointer {
        while position.vector < vectors.count {
            let vector = unsafe vectors[position.vector]
            let rest = unsafe vector.iov_len - position.offset
            guard rest > 0 else {
                position = (position.vector + 1, 0)
                continue
            }
            guard rest >= RecordBuffer.capacity || position.vector == vectors.count - 1 else { break }
            let count = min(rest, RecordBuffer.capacity)
            let start = unsafe vector.iov_base.map { unsafe UnsafeRawPointer($0 + position.offset) }
            position.offset += count
            return unsafe UnsafeRawBufferPointer(start: start, count: count)
        }
        guard position.vector < vectors.count else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        let count = unsafe gather(vectors, &position, into: record.bytes)
        return unsafe UnsafeRawBufferPointer(rebasing: record.bytes[..<count])
    }

    private func hasMore(_ vectors: UnsafeMutableBufferPointer<iovec>, _ position: (vector: Int, offset: Int)) -> Bool {
        guard position.vector < vectors.count else { return false }
        return unsafe position.vector + 1 < vectors.count || position.offset < vectors[position.vector].iov_len
    }

    private func gather(
        _ vectors: UnsafeMutableBufferPointer<iovec>, _ position: inout (vector: Int, offset: Int),
        into record: UnsafeMutableRawBufferPointer
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
