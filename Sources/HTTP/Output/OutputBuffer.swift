internal import Glibc

/// What is to be sent at the end of a turn: heads gathered in one place, and bodies where they are.
///
/// A loop has one for all its connections, which is empty between their turns.
final class OutputBuffer {
    /// Smaller bodies are copied behind their heads, which costs less than another entry in a list of the kernel's.
    private static let copied = 2_048

    private enum Piece {
        case gathered(Range<Int>)
        case stored(SharedBytes, Range<Int>)
    }

    /// Where heads are written, each followed by `close`.
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

    /// Sends what there is room for and moves the rest behind what an earlier turn has left.
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
                for (place, piece) in pieces.enumerated() {
                    let bytes =
                        switch piece {
                        case .gathered(let range): unsafe UnsafeRawBufferPointer(rebasing: head[range])
                        case .stored(let stored, let range): unsafe stored.buffer(range)
                        }
                    unsafe vectors.initializeElement(
                        at: place, to: iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
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
