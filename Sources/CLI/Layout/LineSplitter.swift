/// Cuts what arrives in pieces into lines; empty ones are left out.
struct LineSplitter {
    private var rest: [UInt8] = []
    /// Beyond so many bytes a line is cut, which its reader refuses as too large.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func take(_ chunk: ArraySlice<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var remaining = chunk
        while let end = remaining.firstIndex(of: UInt8(ascii: "\n")) {
            append(remaining[..<end])
            lines += self.end()
            remaining = remaining[(end + 1)...]
        }
        append(remaining)
        return lines
    }

    /// The line that nothing ended.
    mutating func end() -> [[UInt8]] {
        defer { rest = [] }
        return rest.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") } ? [] : [rest]
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        rest += bytes.prefix(max(0, limit + 1 - rest.count))
    }
}
