internal import Glibc

struct PendingOutput {
    private struct Piece {
        let bytes: SharedBytes
        var rest: Range<Int>
    }

    private var pieces: [Piece] = []
    private var first = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: SharedBytes) { append(bytes, 0..<bytes.count) }

    mutating func append(_ bytes: SharedBytes, _ range: Range<Int>) {
        pieces.append(Piece(bytes: bytes, rest: range))
        count += range.count
    }

    /// Sends as much as the transport accepts.
    mutating func flush(through transport: some Transport) -> TransportProgress {
        var moved = 0
        while !isEmpty {
            switch unsafe withVectors(for: transport, { vectors, part in unsafe transport.write(vectors, then: part) }) {
            case .moved(let sent):
                moved += sent
                drop(sent)
            case let blocker: return blocker
            }
        }
        return .moved(moved)
    }

    private mutating func drop(_ sent: Int) {
        var rest = sent
        count -= sent
        while rest > 0 {
            let left = pieces[first].rest
            guard rest >= left.count else {
                pieces[first].rest = left.dropFirst(rest)
                return
            }
            rest -= left.count
            first += 1
        }
        if first == pieces.count {
            pieces = []
            first = 0
        }
    }

    /// Passes the first pieces, up to the first one that the transport can send from a file.
    private func withVectors<Result>(
        for transport: some Transport, _ body: (UnsafeMutableBufferPointer<iovec>, _ part: FilePart?) -> Result
    ) -> Result {
        let next = pieces[first...].prefix(64)
        let sendsFiles = transport.sendsFiles
        return unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: 64) { vectors in
            for (index, piece) in next.enumerated() {
                if sendsFiles, let part = piece.bytes.filePart(piece.rest) {
                    return unsafe body(UnsafeMutableBufferPointer(rebasing: vectors[..<index]), part)
                }
                let bytes = unsafe piece.bytes.buffer(piece.rest)
                unsafe vectors.initializeElement(
                    at: index, to: iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
            }
            return unsafe body(UnsafeMutableBufferPointer(rebasing: vectors[..<next.count]), nil)
        }
    }
}
