internal import Glibc
internal import Synchronization

/// Immutable bytes at a fixed address, so that any loop can pass them to the kernel without a copy.
@safe package final class SharedBytes: @unchecked Sendable {
    // Unchecked: the bytes are written only in the initializer, and the other variables are atomic.
    package let count: Int
    /// The line with their length that HTTP/1.1 sends before them.
    let lengthLine: [UInt8]
    private let start: UnsafeMutableRawPointer
    /// The number of sends in the current period of an arena since the last attempt to copy, added to the product of the ended periods
    /// and `sendsBeforeCopy`.
    private let sends = Atomic(0)
    private let copy = AtomicLazyReference<BodyArena.Copy>()

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

    /// Returns a buffer that is valid for the lifetime of the object.
    func buffer(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range exceeds the bytes")
        return unsafe UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
    }

    /// Counts that the bytes are sent, and copies them into the arena if they are sent often enough for that to save time.
    func prepareToSend(from arena: BodyArena) {
        guard count <= BodyArena.maxCount, copy.load() == nil else { return }
        let start = arena.endedPeriods * BodyArena.sendsBeforeCopy
        let previous = sends.load(ordering: .relaxed)
        let next = max(previous, start) + 1
        let isOften = next - start >= BodyArena.sendsBeforeCopy
        // If several loops send the bytes at the same time, one send counts.
        let isCounted = sends.compareExchange(expected: previous, desired: isOften ? start : next, ordering: .relaxed).exchanged
        if isCounted, isOften, let made = arena.copy(self) { _ = copy.storeIfNil(made) }
    }

    /// Returns a range as a part of a file that is valid for the lifetime of the object. Returns nil if there is no copy
    /// or if the range is small.
    func filePart(_ range: Range<Int>) -> FilePart? {
        guard range.count >= BodyArena.minCount else { return nil }
        return copy.load()?.part(range)
    }
}
