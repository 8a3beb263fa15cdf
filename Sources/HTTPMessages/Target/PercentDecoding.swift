extension Span<UInt8> {
    /// Decodes each escape once; nil where one is malformed or where U+0000 or bytes that are no UTF-8 come out.
    func percentDecoded(plusIsSpace: Bool) -> String? {
        var index = 0
        while index < count, self[index] != UInt8(ascii: "%"), self[index] != UInt8(ascii: "+") || !plusIsSpace { index += 1 }
        if index == count { return text }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(count)
        extracting(first: index).append(to: &decoded)
        while index < count {
            switch self[index] {
            case UInt8(ascii: "%"):
                guard index + 2 < count, let high = self[index + 1].hexadecimalDigit, let low = self[index + 2].hexadecimalDigit,
                    high | low != 0
                else { return nil }
                decoded.append(high << 4 | low)
                index += 3
            case UInt8(ascii: "+") where plusIsSpace:
                decoded.append(0x20)
                index += 1
            case let byte:
                decoded.append(byte)
                index += 1
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}
