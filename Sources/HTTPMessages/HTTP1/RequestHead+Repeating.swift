extension RequestHead {
    /// The fields that make the response depend on more than the bytes of the head: on the connected proxy, on the time, or on
    /// the request itself, whose ID is returned.
    private static let individual: [FieldName] = [
        .authorization, "cookie", .expect, "traceparent", "upgrade", .xForwardedFor, .xForwardedProto, .xRequestID,
    ]

    /// Whether each request with the same bytes gets the same response, apart from its date and its ID, as long as the content
    /// stays the same.
    package var isRepeatable: Bool {
        version != .http10 && keepsAlive && framing == .none && (method == .get || method == .head)
            && !Self.individual.contains { fields.contains($0) }
    }
}

extension Span<UInt8> {
    /// The number of bytes up to the first empty line, that line included. It is the length of the head if `HTTP1HeadReader` accepts
    /// the bytes. Nil if no line is empty within `limit` bytes.
    package func headCount(limit: Int) -> Int? {
        let end = Swift.min(count, limit)
        var index = 3
        while index < end {
            // The byte decides how many of the next ones cannot be the last of an empty line.
            switch self[index] {
            case UInt8(ascii: "\n"):
                if self[index - 1] == UInt8(ascii: "\r"), self[index - 2] == UInt8(ascii: "\n"), self[index - 3] == UInt8(ascii: "\r") {
                    return index + 1
                }
                index += 2
            case UInt8(ascii: "\r"): index += 1
            default: index += 4
            }
        }
        return nil
    }
}
