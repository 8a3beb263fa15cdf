extension Span<UInt8> {
    /// Whether each byte satisfies the predicate.
    @inlinable
    package func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        for index in indices where !predicate(self[index]) { return false }
        return true
    }

    /// Returns the first index from `start` on with the byte, or nil.
    ///
    /// Compares eight bytes at a time. A borrow can mark bytes above a true match, never below it, so the lowest mark is exact.
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while index + 8 <= count {
            let word = unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
            let difference = word ^ (ones &* UInt64(byte))
            let marks = (difference &- ones) & ~difference & (ones &* 0x80)
            if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }
}
