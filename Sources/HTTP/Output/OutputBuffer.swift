internal import Glibc

/// The output of one turn: heads in one buffer, and bodies as references.
///
/// Each loop has one buffer for all its connections. It is empty between their turns.
final class OutputBuffer {
    /// The size up to which bodies are copied into the head buffer, which costs less than another I/O vector.
    static let copied = 2_048

    private enum Piece {
        case gathered(Range<Int>)
        case stored(SharedBytes, Range<Int>)
    }

    /// The heads and small bodies of this turn, except those at its start that are copies of a block.
    var head: [UInt8] = []
    /// The output at the start of this turn.
    private var copies = BlockCopies()
    private var pieces: [Piece] = []
    private var gathered = 0
    private var pieceCount = 0
    /// The arena for large bodies; nil to send them from their own memory.
    private let arena: BodyArena?

    init(arena: BodyArena? = nil) {
        self.arena = arena
        head.reserveCapacity(16 * 1024)
    }

    var isEmpty: Bool { copies.count == 0 && pieces.isEmpty && head.count == gathered }

    var count: Int { copies.count + pieceCount + head.count - gathered }

    func append(_ bytes: SharedBytes) { append(bytes, 0..<bytes.count) }

    func append(_ bytes: SharedBytes, _ range: Range<Int>) {
        guard range.count > Self.copied else { return unsafe head.append(contentsOf: bytes.buffer(range)) }
        closeHead()
        if let arena, range.count >= BodyArena.minCount { bytes.prepareToSend(from: arena) }
        pieces.append(.stored(bytes, range))
        pieceCount += range.count
    }

    /// Appends copies of a block, and writes over a part of each: the same part in all calls for a block.
    ///
    /// If the turn starts with the block of an earlier turn, nothing is copied.
    func append(_ block: [UInt8], times count: Int, over write: (_ copy: UnsafeMutableRawBufferPointer, _ index: Int) -> Void) {
        if pieces.isEmpty, head.isEmpty, unsafe copies.append(block, times: count, over: write) { return }
        let start = head.count
        for _ in 0..<count { head.append(contentsOf: block) }
        unsafe head.write(over: start..<head.count, times: count, write)
    }

    /// Sends as much as the transport accepts, and moves the rest to the end of the pending output of earlier turns.
    func flush(through transport: some Transport, backlog: inout PendingOutput) -> TransportProgress {
        closeHead()
        defer { removeAll() }
        guard backlog.isEmpty else {
            moveAll(to: &backlog, from: 0)
            return backlog.flush(through: transport)
        }
        let progress = unsafe withVectors(for: transport) { vectors, part in unsafe transport.write(vectors, then: part) }
        if case .moved(let moved) = progress, moved < count {
            moveAll(to: &backlog, from: moved)
            return backlog.flush(through: transport)
        }
        if case .blocked = progress { moveAll(to: &backlog, from: 0) }
        return progress
    }

    func removeAll() {
        if !head.isEmpty { head.removeAll(keepingCapacity: head.capacity <= 256 * 1024) }
        if !pieces.isEmpty { pieces.removeAll(keepingCapacity: true) }
        gathered = 0
        pieceCount = 0
        copies.endTurn()
    }

    private func closeHead() {
        guard head.count > gathered else { return }
        pieces.append(.gathered(gathered..<head.count))
        pieceCount += head.count - gathered
        gathered = head.count
    }

    /// Passes the first pieces, up to the first one that the transport can send from a file.
    private func withVectors<Result>(
        for transport: some Transport, _ body: (UnsafeMutableBufferPointer<iovec>, _ part: FilePart?) -> Result
    ) -> Result {
        unsafe copies.withBytes { copied in
            let first = unsafe iovec(iov_base: copied.baseAddress, iov_len: copied.count)
            guard !pieces.isEmpty else {
                var vector = unsafe first
                return unsafe withUnsafeMutablePointer(to: &vector) { vector in
                    unsafe body(UnsafeMutableBufferPointer(start: vector, count: 1), nil)
                }
            }
            let pieces = pieces.prefix(63)
            let sendsFiles = transport.sendsFiles
            return unsafe head.withUnsafeMutableBytes { head in
                unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: 64) { vectors in
                    var count = 0
                    if unsafe !copied.isEmpty {
                        unsafe vectors.initializeElement(at: 0, to: first)
                        count = 1
                    }
                    for piece in pieces {
                        let bytes: UnsafeRawBufferPointer
                        switch piece {
                        case .gathered(let range): unsafe bytes = UnsafeRawBufferPointer(rebasing: head[range])
                        case .stored(let stored, let range):
                            if sendsFiles, let part = stored.filePart(range) {
                                return unsafe body(UnsafeMutableBufferPointer(rebasing: vectors[..<count]), part)
                            }
                            unsafe bytes = stored.buffer(range)
                        }
                        unsafe vectors.initializeElement(
                            at: count, to: iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
                        count += 1
                    }
                    return unsafe body(UnsafeMutableBufferPointer(rebasing: vectors[..<count]), nil)
                }
            }
        }
    }

    private func moveAll(to backlog: inout PendingOutput, from sent: Int) {
        if sent < copies.count { backlog.append(SharedBytes(copies.rest(from: sent))) }
        var skipped = max(0, sent - copies.count)
        for piece in pieces {
            switch piece {
            case .gathered(let range):
                let dropped = min(skipped, range.count)
                skipped -= dropped
                if dropped < range.count { backlog.append(SharedBytes(Array(head[range.dropFirst(dropped)]))) }
            case .stored(let bytes, let range):
                let dropped = min(skipped, range.count)
                skipped -= dropped
                if dropped < range.count { backlog.append(bytes, range.dropFirst(dropped)) }
            }
        }
    }
}
