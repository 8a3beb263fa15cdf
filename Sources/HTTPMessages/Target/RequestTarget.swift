/// The target of a request: a path and a query, or the whole server. Stores the validated bytes, and creates strings on
/// demand.
package struct RequestTarget: Sendable, Hashable {
    private let bytes: [UInt8]
    package let query: Query

    /// The target `*` of OPTIONS, for the whole server.
    package static let server = RequestTarget(path: [UInt8(ascii: "*")], query: Query())

    private init(path bytes: [UInt8], query: Query) {
        self.bytes = bytes
        self.query = query
    }

    /// Parses an origin-form, `/path?query`.
    ///
    /// Rejects dot segments, escaped or not, because parsers resolve them differently.
    package init(parsing bytes: Span<UInt8>) throws(RequestError) {
        guard !bytes.isEmpty, bytes[0] == UInt8(ascii: "/") else {
            throw RequestError(.badRequest, "the target does not begin with a slash")
        }
        var start = 1
        var end = 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "?") {
            guard bytes[end].isPath else { throw RequestError(.badRequest, "the path contains a character that must be escaped") }
            if bytes[end] == UInt8(ascii: "/") {
                try Self.check(bytes.extracting(start..<end))
                start = end + 1
            }
            end += 1
        }
        try Self.check(bytes.extracting(start..<end))
        var path: [UInt8] = []
        bytes.extracting(first: end).append(to: &path)
        self.init(path: path, query: end < bytes.count ? try Query(parsing: bytes.extracting(droppingFirst: end + 1)) : Query())
    }

    /// The path as received, for logs and comparisons: `/v1/us/feeds`, or `*` for the whole server.
    package var path: String { bytes.span.text }

    /// Appends the bytes of the path as received. None of them is zero.
    package func appendPath(to other: inout [UInt8]) { other.append(contentsOf: bytes) }

    /// The decoded segments, which may contain slashes. Empty for `/` and `*`. Two consecutive slashes enclose an empty
    /// segment.
    package var segments: [String] {
        var segments: [String] = []
        var range = bytes.count > 1 ? firstSegment : nil
        while let segment = range {
            segments.append(text(of: segment))
            range = self.segment(after: segment)
        }
        return segments
    }

    /// The range of the first segment. The segment is empty in `/` and `*`.
    package var firstSegment: Range<Int> { segment(from: 1) }

    /// Returns the range of the next segment, or nil after the last.
    package func segment(after range: Range<Int>) -> Range<Int>? {
        range.upperBound < bytes.count ? segment(from: range.upperBound + 1) : nil
    }

    /// Returns the decoded segment in a range.
    package func text(of segment: Range<Int>) -> String {
        // The initializer has rejected invalid escapes.
        bytes.span.extracting(segment).percentDecoded(plusIsSpace: false) ?? ""
    }

    /// Returns whether a segment equals a word, which itself needs no escapes.
    package func segment(_ range: Range<Int>, is literal: Span<UInt8>) -> Bool {
        if range.count == literal.count { return bytes.span.extracting(range).isEqual(to: literal) }
        guard range.count > literal.count, bytes.span.extracting(range).isEscaped else { return false }
        return Array(text(of: range).utf8).span.isEqual(to: literal)
    }

    /// Returns whether a segment ends with a word without any escapes.
    package func segment(_ range: Range<Int>, endsWith literal: Span<UInt8>) -> Bool {
        range.count >= literal.count && bytes.span.extracting((range.upperBound - literal.count)..<range.upperBound).isEqual(to: literal)
    }

    private func segment(from start: Int) -> Range<Int> {
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
        return start..<end
    }

    private static func check(_ segment: Span<UInt8>) throws(RequestError) {
        guard segment.isEscaped else {
            guard !segment.isDots else { throw dots }
            return
        }
        guard let text = segment.percentDecoded(plusIsSpace: false) else {
            throw RequestError(.badRequest, "the path contains an escape that is malformed, U+0000 or not UTF-8")
        }
        guard !Array(text.utf8).span.isDots else { throw dots }
    }

    private static var dots: RequestError { RequestError(.badRequest, "the path contains a segment of dots") }
}

extension Span<UInt8> {
    fileprivate var isEscaped: Bool {
        for index in 0..<count where self[index] == UInt8(ascii: "%") { return true }
        return false
    }

    fileprivate var isDots: Bool { isExactly(".") || isExactly("..") }
}
