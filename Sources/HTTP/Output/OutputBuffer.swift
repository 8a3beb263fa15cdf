internal import Glibc

/// The output of one turn: heads in one buffer, and bodies as references.
///
/// Each loop has one buffer for all its connections. It is empty between their turns.
final class OutputBuffer {
    /// The size up to which bodies are copied into the head buffer, which costs less than another I/O vector.
    private static let copied = 2_048

    private enum Piece {
        case gathered(Range<Int>)
        case stored(SharedBytes, Range<Int>)
    }

    /// The heads and small bodies of this turn.
    var head: [UInt8] = []
    private var pieces: [Piece] = []
    private var gathered = 0
    private var pieceCount = 0

    init() { head.reserveCapacity(16 * 1024) }

    var isEmpty: Bool { pieces.isEmpty && head.count == gathered }

    var count: Int { pieceCount + head.count - gathered }

    func append(_ bytes: SharedBytes) { append(bytes, 0..<bytes.count) }

    func append(_ bytes: SharedBytes, _ range: Range<Int>) {
        guard range.count > Self.copied else { return unsafe head.append(contentsOf: bytes.buffer(range)) }
        closeHead()
        pieces.append(.stored(bytes, range))
        pieceCount += range.count
    }

    /// Sends as much as the transport accepts, and moves the rest to the end of the pending output of earlier turns.
    func flush(through transport: some Transport, backlog: inout PendingOutput) -> TransportProgress {
        closeHead()
        defer { removeAll() }
        guard backlog.isEmpty else {
            moveAll(to: &backlog, from: 0)
            return backlog.flush(through: transport)
        }
        let progress = unsafe withVectors { vectors in unsafe transport.write(vectors) }
        if case .moved(let moved) = progress, moved < pieceCount {
            moveAll(to: &backlog, from: moved)
            return backlog.flush(through: transport)
        }
        if case .blocked = progress { moveAll(to: &backlog, from: 0) }
        return progress
    }

    func removeAll() {
        head.removeAll(keepingCapacity: head.capacity <= 256 * 1024)
        pieces.removeAll(keepingCapacity: true)
        gathered = 0
        pieceCount = 0
    }

    private func closeHead() {
        guard head.count > gathered else { return }
        pieces.append(.gathered(gathered..<head.count))
        pieceCount += head.count - gathered
        gathered = head.count
    }

    private func withVectors<Result>(_ body: (UnsafeMutableBufferPointer<iovec>) -> Result) -> Result {
        let pieces = pieces.prefix(64)
        return unsafe head.withUnsafeMutableBytes { head in
            unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: 64) { vectors in
                for (index, piece) in pieces.enumerated() {
                    let bytes =
                        switch piece {
                        case .gathered(let range): unsafe UnsafeRawBufferPointer(rebasing: head[range])
                        case .stored(let stored, let range): unsafe stored.buffer(range)
                        }
                    unsafe vectors.initializeElement(
                        at: index, to: iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
                }
                return unsafe body(UnsafeMutableBufferPointer(rebasing: vectors[..<pieces.count]))
            }
        }
    }

    private func moveAll(to backlog: inout PendingOutput, from sent: Int) {
        var skipped = sent
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
