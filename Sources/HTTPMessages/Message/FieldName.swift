/// The name of a header field, in lower case as HTTP/2 has it; HTTP/1.1 compares names without regard to case.
package struct FieldName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let text: StaticString

    package init(stringLiteral text: StaticString) { self.text = text }

    package var description: String { text.description }

    /// As it is written.
    package var bytes: StaticString { text }

    package static func == (left: FieldName, right: FieldName) -> Bool { left.description == right.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// Whether a received name is this one.
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
