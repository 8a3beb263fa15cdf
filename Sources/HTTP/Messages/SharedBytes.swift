internal import Glibc

/// Bytes that never change and never move, so that they can be handed to the kernel from any loop without a copy.
@safe package final class SharedBytes: @unchecked Sendable {
    // Unchecked: nobody writes once the initializer has ended.
    package let count: Int
    /// What HTTP/1.1 says of them in front of them.
    let lengthLine: [UInt8]
    private let start: UnsafeMutableRawPointer

    package init(_ bytes: [UInt8]) {
        count = bytes.count
        var line: [UInt8] = []
        line.append("content-length: ")
        line.append(decimal: bytes.count)
        line.append("\r\n")
        lengthLine = line
        unsafe start = .allocate(byteCount: max(bytes.count, 1), alignment: 1)
        unsafe bytes.withUnsafeBytes { source in
            if let base = source.baseAddress { unsafe start.copyMemory(from: base, byteCount: source.count) }
        }
    }

    deinit { unsafe start.deallocate() }

    package var array: [UInt8] { unsafe Array(buffer(0..<count)) }

    func isEqual(to other: SharedBytes) -> Bool {
        guard self !== other else { return true }
        return unsafe count == other.count && memcmp(start, other.start, count) == 0
    }

    /// Valid for as long as the object.
    func buffer(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range exceeds the bytes")
        return unsafe UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
    }
}
