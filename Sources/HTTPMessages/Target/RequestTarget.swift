/// What a request is about: a path of decoded segments and a query, or the server as a whole.
package struct RequestTarget: Sendable, Hashable {
    /// The path as it was received, for the log and for comparison: `/v1/us/feeds`; `*` of the server as a whole.
    package let path: String
    /// Each decoded once, so that a segment may hold a slash; none of `/` and `*`. Two slashes in a row leave an empty one.
    package let segments: [String]
    package let query: Query

    /// The server as a whole, for OPTIONS.
    package static let server = RequestTarget(path: "*", segments: [], query: Query())

    private init(path: String, segments: [String], query: Query) {
        self.path = path
        self.segments = segments
        self.query = query
    }

    /// Reads an origin-form, `/path?query`.
    ///
    /// Refused are dots as a whole segment, escaped or not: what they lead to depends on who reads them.
    package init(parsing bytes: Span<UInt8>) throws(Refusal) {
        guard !bytes.isEmpty, bytes[0] == UInt8(ascii: "/") else { throw Refusal(.badRequest, "the target does not begin with a slash") }
        var segments: [String] = []
        var start = 1
        var end = 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "?") {
            guard bytes[end].isPath else { throw Refusal(.badRequest, "the path holds a character that has to be escaped") }
            if bytes[end] == UInt8(ascii: "/") {
                if segments.isEmpty { segments.reserveCapacity(8) }
                segments.append(try Self.segment(bytes.extracting(start..<end)))
                start = end + 1
            }
            end += 1
        }
        if end > 1 { segments.append(try Self.segment(bytes.extracting(start..<end))) }
        self.segments = segments
        path = bytes.extracting(first: end).text
        query = end < bytes.count ? try Query(parsing: bytes.extracting(droppingFirst: end + 1)) : Query()
    }

    private static func segment(_ bytes: Span<UInt8>) throws(Refusal) -> String {
        guard let segment = bytes.percentDecoded(plusIsSpace: false) else {
            throw Refusal(.badRequest, "the path holds an escape that is malformed, U+0000 or no UTF-8")
        }
        guard segment.utf8.count > 2 || segment != "." && segment != ".." else {
            throw Refusal(.badRequest, "the path holds a segment of dots")
        }
        return segment
    }
}
