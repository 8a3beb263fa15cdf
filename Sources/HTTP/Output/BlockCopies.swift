/// Copies of a block of bytes, one after another. They remain until another block is copied.
///
/// A server with many equal requests would otherwise copy the same response for each of them, and the kernel copies it again.
struct BlockCopies {
    /// The maximum size of all copies.
    static let maxBytes = 64 * 1_024

    private var block: [UInt8] = []
    /// The copies, including those of earlier turns after the bytes of this turn.
    private var bytes: [UInt8] = []
    /// The number of bytes of this turn.
    private(set) var count = 0

    /// Adds copies of a block to this turn, and writes over a part of each: the same part in all calls for a block. Returns false if they
    /// are too large, or if the turn has copies of another block.
    mutating func append(
        _ other: [UInt8], times number: Int, over write: (_ copy: UnsafeMutableRawBufferPointer, _ index: Int) -> Void
    ) -> Bool {
        let end = count + number * other.count
        guard end <= Self.maxBytes else { return false }
        if !isBlock(other) {
            guard count == 0 else { return false }
            block = other
            bytes.removeAll(keepingCapacity: true)
        }
        // An array would double its memory beyond the limit.
        if bytes.capacity < end { bytes.reserveCapacity(Self.maxBytes) }
        while bytes.count < end { bytes.append(contentsOf: other) }
        unsafe bytes.write(over: count..<end, times: number, write)
        count = end
        return true
    }

    mutating func endTurn() { count = 0 }

    /// Returns the bytes of this turn from an index on.
    func rest(from start: Int) -> [UInt8] { Array(bytes[start..<count]) }

    /// Passes the bytes of this turn.
    mutating func withBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        let count = count
        return unsafe bytes.withUnsafeMutableBytes { bytes in unsafe body(UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])) }
    }

    /// Whether an array is the one with the block. Another array cannot have its address, because this one exists.
    private func isBlock(_ other: [UInt8]) -> Bool {
        unsafe block.withUnsafeBytes { own in
            unsafe other.withUnsafeBytes { others in unsafe own.baseAddress == others.baseAddress && own.count == others.count }
        }
    }
}

extension [UInt8] {
    /// Passes each of a number of copies, which fill a range.
    mutating func write(over range: Range<Int>, times number: Int, _ write: (_ copy: UnsafeMutableRawBufferPointer, _ index: Int) -> Void) {
        let size = range.count / number
        unsafe withUnsafeMutableBytes { bytes in
            for index in 0..<number {
                let start = range.lowerBound + index * size
                unsafe write(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + size)]), index)
            }
        }
    }
}
