package import HTTPMessages

/// A header field of a response.
package struct ResponseField: Sendable, Hashable {
    package let name: FieldName
    package let value: String

    /// What would end the line or hide from a reader is replaced by a blank: a value may come from a client.
    package init(_ name: FieldName, _ value: String) {
        self.name = name
        let isClean = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        self.value = isClean ? value : String(decoding: value.utf8.map { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(name.bytes)
        bytes.append(": ")
        bytes.append(contentsOf: value.utf8)
        bytes.append("\r\n")
    }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe append(contentsOf: $0) }
    }

    /// In decimal.
    mutating func append(decimal number: Int) {
        precondition(number >= 0, "a count")
        guard number > 9 else { return append(UInt8(ascii: "0") + UInt8(number)) }
        let start = count
        var rest = number
        while rest > 0 {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        self[start...].reverse()
    }
}
