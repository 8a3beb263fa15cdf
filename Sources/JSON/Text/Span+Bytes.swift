// Only this file of the module reads memory without the checks of the standard library. Each loop stays within `count`.

extension [UInt8] {
    /// Appends a copy of the bytes.
    @inlinable
    package mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Appends a text, unless a JSON string must escape a part of it. Returns whether it did.
    mutating func append(plain text: String) -> Bool {
        // This is inlined down to the copy, unlike the span of a string.
        unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            guard unsafe bytes.span.endOfPlainText(from: 0) == bytes.count else { return false }
            unsafe append(contentsOf: bytes)
            return true
        } ?? false
    }

    /// Appends a text in quotes, between a comma and a colon if they are requested, unless a JSON string must escape a part of it.
    /// Returns whether it did.
    ///
    /// One append instead of five saves half of the time of a key.
    mutating func append(quotingPlain text: String, afterComma: Bool = false, asKey: Bool = false) -> Bool {
        unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            guard unsafe bytes.span.endOfPlainText(from: 0) == bytes.count else { return false }
            append(addingCapacity: bytes.count + 4) { output in
                if afterComma { output.append(UInt8(ascii: ",")) }
                output.append(UInt8(ascii: "\""))
                unsafe output.withUnsafeMutableBufferPointer { room, count in
                    if let start = room.baseAddress, let source = bytes.baseAddress, !bytes.isEmpty {
                        unsafe (start + count).initialize(from: source, count: bytes.count)
                    }
                    count += bytes.count
                }
                output.append(UInt8(ascii: "\""))
                if asKey { output.append(UInt8(ascii: ":")) }
            }
            return true
        } ?? false
    }
}

extension Span<UInt8> {
    /// Returns the first index at or after `start` with a byte that a JSON string must escape: a quote, a backslash or
    /// a control character.
    ///
    /// Compares eight bytes at a time.
    @inline(__always)
    func endOfPlainText(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= count {
            let marks = escapeMarks(at: index)
            if marks != 0 { return index &+ marks.trailingZeroBitCount / 8 }
            index &+= 8
        }
        // The last eight bytes overlap with those that are known to be plain.
        if index < count, count &- start >= 8 {
            index = count &- 8
            let marks = escapeMarks(at: index)
            return marks == 0 ? count : index &+ marks.trailingZeroBitCount / 8
        }
        // So do two halves of a short text.
        if count &- index >= 4 {
            let first = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt32.self)
            let last = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: count &- 4, as: UInt32.self)
            if Self.escapeMarks(UInt64(first) | UInt64(last) << 32) == 0 { return count }
        }
        while index < count, self[index] >= 0x20, self[index] != UInt8(ascii: "\""), self[index] != UInt8(ascii: "\\") { index &+= 1 }
        return index
    }

    /// Returns eight bytes with a mark in each that a JSON string must escape. There must be eight bytes at the index.
    ///
    /// A borrow can mark bytes above a true match but never below it, so the lowest mark is exact.
    @inline(__always)
    private func escapeMarks(at index: Int) -> UInt64 {
        Self.escapeMarks(unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)))
    }

    @inline(__always)
    private static func escapeMarks(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let control = (word &- ones &* 0x20) & ~word
        return (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | control) & (ones &* 0x80)
    }

    /// Whether both spans have the same bytes, without regard to Unicode equivalence.
    @inline(__always)
    func holdsSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index &+ 8 <= count {
            let left = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
            let right = unsafe other.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
            if left != right { return false }
            index &+= 8
        }
        while index < count {
            if self[index] != other[index] { return false }
            index &+= 1
        }
        return true
    }

    /// One of 64 bits, which is the same for equal bytes.
    var sketchBit: UInt64 {
        guard !isEmpty else { return 1 }
        let middle = self[count / 2] &* 5
        return 1 << UInt64((UInt8(truncatingIfNeeded: count) &* 11 &+ self[0] &+ middle &+ self[count - 1] &* 3) & 63)
    }

    /// Returns a hash of the bytes that other processes cannot predict.
    func seededHash() -> Int {
        var hasher = Hasher()
        unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// Returns a copy of bytes that are known to be UTF-8.
    func text() -> String {
        unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the bytes sort before others. Byte order is also the order of Unicode scalars.
    package func precedes(_ other: Span<UInt8>) -> Bool {
        let shared = Swift.min(count, other.count)
        var index = 0
        while index < shared {
            if self[index] != other[index] { return self[index] < other[index] }
            index += 1
        }
        return count < other.count
    }
}
