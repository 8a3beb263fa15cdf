internal import HTTPMessages

/// The unread bytes of a client. Dropping bytes at the start moves few of the others, however small the pieces are.
struct PendingInput {
    private(set) var bytes: [UInt8] = []
    private(set) var start = 0

    var count: Int { bytes.count - start }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: Span<UInt8>) { more.append(to: &bytes) }

    mutating func drop(_ count: Int) {
        start += count
        // Fewer bytes are moved than were dropped since the last time.
        guard start > bytes.count / 2 else { return }
        bytes.removeFirst(start)
        start = 0
    }

    mutating func removeAll() { self = PendingInput() }
}
