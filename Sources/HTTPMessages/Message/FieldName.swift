/// The name of a header field, in lower case as HTTP/2 has it; HTTP/1.1 compares names without regard to case.
package struct FieldName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let text: StaticString

    package init(stringLiteral text: StaticString) { self.text = text }

    package var description: String { text.description }

    package var bytes: StaticString { text }

    package static func == (left: FieldName, right: FieldName) -> Bool { left.description == right.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }

    func matches(_ name: Span<UInt8>) -> Bool { name.isWord(text) }
}

extension FieldName {
    package static let acceptEncoding: FieldName = "accept-encoding"
    package static let acceptLanguage: FieldName = "accept-language"
    package static let allow: FieldName = "allow"
    package static let authorization: FieldName = "authorization"
    package static let cacheControl: FieldName = "cache-control"
    package static let connection: FieldName = "connection"
    package static let contentEncoding: FieldName = "content-encoding"
    package static let contentLength: FieldName = "content-length"
    package static let contentType: FieldName = "content-type"
    package static let date: FieldName = "date"
    package static let etag: FieldName = "etag"
    package static let expect: FieldName = "expect"
    package static let host: FieldName = "host"
    package static let ifMatch: FieldName = "if-match"
    package static let ifNoneMatch: FieldName = "if-none-match"
    package static let location: FieldName = "location"
    package static let origin: FieldName = "origin"
    package static let retryAfter: FieldName = "retry-after"
    package static let transferEncoding: FieldName = "transfer-encoding"
    package static let vary: FieldName = "vary"
    package static let xForwardedFor: FieldName = "x-forwarded-for"
    package static let xForwardedProto: FieldName = "x-forwarded-proto"
    package static let xRequestID: FieldName = "x-request-id"
}

/// Which names may be among the fields of a request: one mark for all names with the same length and first letter.
struct FieldNameFilter: Sendable {
    private var marks: UInt64 = 0

    mutating func note(_ name: Span<UInt8>) {
        if !name.isEmpty { marks |= Self.mark(name.count, name[0]) }
    }

    func mayContain(_ name: FieldName) -> Bool {
        name.bytes.withUTF8Buffer { bytes in unsafe marks & Self.mark(bytes.count, bytes[0]) } != 0
    }

    private static func mark(_ count: Int, _ first: UInt8) -> UInt64 {
        1 << UInt64(truncatingIfNeeded: (count &+ 5 &* Int(first.lowercased)) & 63)
    }
}

extension UInt8 {
    var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Allowed in the name of a method or of a field: letters, digits and ``!#$%&'*+-.^_`|~``.
    var isToken: Bool { isMarked(0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE) }

    /// Whether the bit of this byte is set: in the first for those below 64, in the second for the rest of ASCII.
    private func isMarked(_ low: UInt64, _ high: UInt64) -> Bool {
        self < 0x80 && (self < 0x40 ? low : high) >> UInt64(self & 0x3F) & 1 == 1
    }

    /// Allowed in the value of a field: what can be seen, blanks between, and bytes that are not ASCII.
    var isFieldValue: Bool { self == 0x09 || self >= 0x20 && self != 0x7F }

    var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Allowed in a path as RFC 3986 has it, with the percent sign of an escape: letters, digits and `/%-._~!$&'()*+,;=:@`.
    var isPath: Bool { isMarked(0x2FFF_FFF2_0000_0000, 0x47FF_FFFE_87FF_FFFF) }

    /// A query may have brackets as well, which many clients leave as they are.
    var isQuery: Bool { isPath || self == UInt8(ascii: "?") || self == UInt8(ascii: "[") || self == UInt8(ascii: "]") }

    var hexadecimalDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}
