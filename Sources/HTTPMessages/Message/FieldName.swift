/// The name of a header field in lower case. HTTP/2 requires lower case; HTTP/1.1 ignores case.
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
    package static let traceparent: FieldName = "traceparent"
    package static let transferEncoding: FieldName = "transfer-encoding"
    package static let vary: FieldName = "vary"
    package static let xForwardedFor: FieldName = "x-forwarded-for"
    package static let xForwardedProto: FieldName = "x-forwarded-proto"
    package static let xRequestID: FieldName = "x-request-id"
}

extension UInt8 {
    var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Whether the byte is allowed in a method or field name: letters, digits and ``!#$%&'*+-.^_`|~``.
    var isToken: Bool { isMarked(0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE) }

    /// Whether the bit of this byte is set, in `low` for bytes below 64 and in `high` for the rest of ASCII.
    private func isMarked(_ low: UInt64, _ high: UInt64) -> Bool {
        self < 0x80 && (self < 0x40 ? low : high) >> UInt64(self & 0x3F) & 1 == 1
    }

    /// Whether the byte is allowed in a field value: visible characters, blanks and bytes beyond ASCII.
    var isFieldValue: Bool { self == 0x09 || self >= 0x20 && self != 0x7F }

    var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether the byte is allowed in a path of RFC 3986, percent sign included: letters, digits and
    /// `/%-._~!$&'()*+,;=:@`.
    var isPath: Bool { isMarked(0x2FFF_FFF2_0000_0000, 0x47FF_FFFE_87FF_FFFF) }

    /// Whether the byte is allowed in a query. Brackets are allowed, because many clients do not escape them.
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
