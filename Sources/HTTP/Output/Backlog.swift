internal import Glibc

/// What a client has not yet taken, in order.
struct Backlog {
    private struct Piece {
        let bytes: StoredBytes
        var sent: Int
    }

    private var pieces: [Piece] = []
    private var first = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: StoredBytes, from start: Int = 0) {
        pieces.append(Piece(bytes: bytes, sent: start))
        count += bytes.count - start
    }

    /// Sends as much as there is room for.
    mutating func flush(through transport: some Transport) -> TransportProgress {
        var moved = 0
        while !isEmpty {
            switch unsafe withVectors({ vectors in unsafe transport.write(vectors) }) {
            case .moved(let sent):
                moved += sent
                drop(sent)
            case let obstacle: return obstacle
            }
        }
        return .moved(moved)
    }

    private mutating func drop(_ sent: Int) {
        var rest = sent
        count -= sent
        while rest > 0 {
            let left = pieces[first].bytes.count - pieces[first].sent
            guard rest >= left else {
                pieces[first].sent += rest
                return
            }
            rest -= left
            first += 1
        }
        if first == pieces.count {
            pieces = []
            first = 0
        }
    }

    private func withVectors<Result>(_ body: (UnsafeMutableBufferPointer<iovec>) -> Result) -> Result {
        let next = pieces[first...].prefix(64)
        return unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: 64) { vectors in
            for (place, piece) in next.enumerated() {
                let bytes = unsafe piece.bytes.buffer(piece.sent..<piece.bytes.count)
                unsafe vectors.initializeElement(
                    at: place, to: iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
            }
            return unsafe body(UnsafeMutableBufferPointer(rebasing: vectors[..<next.count]))
        }
    }
}
