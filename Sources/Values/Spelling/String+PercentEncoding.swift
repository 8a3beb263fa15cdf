extension String {
    /// Returns the text percent-encoded for a URL. Keeps the unreserved bytes of RFC 3986 and those that `isRetained`
    /// selects.
    package func percentEncoded(keeping isRetained: (UInt8) -> Bool = { _ in false }) -> String {
        if utf8.allSatisfy({ $0.isUnreserved || isRetained($0) }) { return self }
        var bytes: [UInt8] = []
        let digits = "0123456789ABCDEF".utf8.span
        for byte in utf8 {
            if byte.isUnreserved || isRetained(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns nil if a `%` is not followed by two hexadecimal digits, or if the result contains a NUL or is not UTF-8.
    package init?(percentDecoding text: ArraySlice<UInt8>) {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalDigit, let low = rest.popFirst()?.hexadecimalDigit, high | low != 0 else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.init(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether RFC 3986 classifies the byte as unreserved.
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
