/// Cuts what arrives in pieces into lines, and never holds more of one than it may have.
struct LineSplitter {
    enum Line {
        /// Without the LF, and without a CR in front of it.
        case whole([UInt8])
        case tooLong
    }

    private let limit: Int
    private var rest: [UInt8] = []
    private var isTooLong = false
    /// Of the line that is being read, from 1.
    private(set) var number = 1

    init(limit: Int) { self.limit = limit }

    mutating func consume(_ bytes: ArraySlice<UInt8>, _ body: (Int, Line) -> Void) {
        var remaining = bytes
        while let end = remaining.firstIndex(of: 0x0A) {
            append(remaining[..<end])
            finish(body)
            number += 1
            remaining = remaining[(end + 1)...]
        }
        append(remaining)
    }

    /// Ends the line that no LF ended.
    mutating func end(_ body: (Int, Line) -> Void) {
        if !rest.isEmpty || isTooLong { finish(body) }
    }

    private mutating func finish(_ body: (Int, Line) -> Void) {
        if isTooLong {
            body(number, .tooLong)
        } else {
            if rest.last == 0x0D { rest.removeLast() }
            body(number, .whole(rest))
        }
        isTooLong = false
        // Capacity is not kept: the line is its reader's now.
        rest = []
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong else { return }
        // One more for the CR.
        guard rest.count + bytes.count <= limit + 1 else {
            isTooLong = true
            rest = []
            return
        }
        rest += bytes
    }
}
