internal import Values

/// Splits a stream of bytes into lines, and never stores more of a line than its limit.
struct LineSplitter {
    enum Line {
        /// A line without its LF, and without a CR before it.
        case whole([UInt8])
        case tooLong
    }

    private let limit: Int
    private var rest: [UInt8] = []
    private var isTooLong = false
    /// The number of the current line, from 1.
    private(set) var number = 1

    init(limit: Int) { self.limit = limit }

    mutating func consume(_ bytes: ArraySlice<UInt8>, _ body: (Int, Line) -> Void) {
        let first = bytes.startIndex
        var start = first
        while let place = bytes.span.firstIndex(of: 0x0A, from: start - first) {
            append(bytes[start..<first + place])
            finish(body)
            number += 1
            start = first + place + 1
        }
        append(bytes[start...])
    }

    /// Ends the last line, if it has no LF.
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
        // The reader of the line now owns the buffer.
        rest = []
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong else { return }
        // One byte more, for the CR.
        guard rest.count + bytes.count <= limit + 1 else {
            isTooLong = true
            rest = []
            return
        }
        rest += bytes
    }
}
