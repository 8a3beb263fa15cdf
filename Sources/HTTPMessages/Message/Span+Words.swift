extension Span<UInt8> {
    /// A copy as text. Invalid UTF-8 is replaced.
    package var text: String {
        unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// A copy as text in lower case. Invalid UTF-8 is replaced.
    var lowercasedText: String {
        // Fifteen bytes fit into a string without an allocation.
        guard count <= 15 else {
            var copy: [UInt8] = []
            copy.reserveCapacity(count)
            for index in 0..<count { copy.append(self[index].lowercased) }
            return copy.span.text
        }
        return unsafe String(unsafeUninitializedCapacity: count) { buffer in
            for index in 0..<count { unsafe buffer[index] = self[index].lowercased }
            return count
        }
    }

    package func append(to bytes: inout [UInt8]) {
        unsafe withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index + 8 <= count {
            guard word(at: index) == other.word(at: index) else { return false }
            index += 8
        }
        return word(at: index) == other.word(at: index)
    }

    /// The eight bytes from an index on, zero after the end.
    func word(at index: Int) -> UInt64 {
        if index + 8 <= count {
            return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
        }
        var word: UInt64 = 0
        for place in index..<count { word |= UInt64(self[place]) << UInt64(8 * (place - index)) }
        return word
    }

    package func isExactly(_ token: StaticString) -> Bool {
        guard count == token.utf8CodeUnitCount else { return false }
        return token.withUTF8Buffer { expected in
            for index in 0..<count where unsafe self[index] != expected[index] { return false }
            return true
        }
    }

    /// Returns whether the bytes equal a lower-case word, ignoring case.
    func isWord(_ token: StaticString) -> Bool {
        guard count == token.utf8CodeUnitCount else { return false }
        return token.withUTF8Buffer { expected in
            for index in 0..<count where unsafe self[index].lowercased != expected[index] { return false }
            return true
        }
    }

    /// Returns the first index from `start` on with a control character other than the tab.
    ///
    /// Examines eight bytes at a time. A borrow can mark bytes above a true match, never below it, so the lowest mark
    /// is exact.
    func endOfText(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while index < count {
            if index + 8 <= count {
                let word = word(at: index)
                let delete = word ^ (ones &* 0x7F)
                let marks = (((word &- ones &* 0x20) & ~word) | ((delete &- ones) & ~delete)) & (ones &* 0x80)
                guard marks != 0 else {
                    index += 8
                    continue
                }
                index += marks.trailingZeroBitCount / 8
            }
            guard self[index].isFieldValue else { return index }
            index += 1
        }
        return index
    }

    /// Calls `body` with each nonempty element of a comma-separated list, without surrounding blanks.
    func forEachListElement(_ body: (Span<UInt8>) -> Void) {
        var start = 0
        for index in 0...count where index == count || self[index] == UInt8(ascii: ",") {
            var first = start
            var last = index
            while first < last, self[first].isBlank { first += 1 }
            while last > first, self[last - 1].isBlank { last -= 1 }
            if first < last { body(extracting(first..<last)) }
            start = index + 1
        }
    }
}
