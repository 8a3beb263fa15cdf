/// What a request is about: a path and a query, or the server as a whole.
///
/// Keeps what was received, which is checked; strings are made of it for those who ask.
package struct RequestTarget: Sendable, Hashable {
    private let bytes: [UInt8]
    package let query: Query

    /// The server as a whole, for OPTIONS.
    package static let server = RequestTarget(path: [UInt8(ascii: "*")], query: Query())

    private init(path bytes: [UInt8], query: Query) {
        self.bytes = bytes
        self.query = query
    }

    /// Reads an origin-form, `/path?query`.
    ///
    /// Refused are dots as a whole segment, escaped or not: what they lead to depends on who reads them.
    package init(parsing bytes: Span<UInt8>) throws(RequestError) {
        guard !bytes.isEmpty, bytes[0] == UInt8(ascii: "/") else {
            throw RequestError(.badRequest, "the target does not begin with a slash")
        }
        var start = 1
        var end = 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "?") {
            guard bytes[end].isPath else { throw RequestError(.badRequest, "the path holds a character that has to be escaped") }
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

    /// As it was received, for the log and for comparison: `/v1/us/feeds`; `*` of the server as a whole.
    package var path: String { bytes.span.text }

    /// Each decoded once, so that a segment may hold a slash; none of `/` and `*`. Two slashes in a row leave an empty one.
    package var segments: [String] {
        var segments: [String] = []
        var place = bytes.count > 1 ? firstSegment : nil
        while let segment = place {
            segments.append(text(of: segment))
            place = self.segment(after: segment)
        }
        return segments
    }

    /// Where the first segment is, which is empty in `/` and in `*`.
    package var firstSegment: Range<Int> { segment(from: 1) }

    /// Nil behind the last.
    package func segment(after place: Range<Int>) -> Range<Int>? {
        place.upperBound < bytes.count ? segment(from: place.upperBound + 1) : nil
    }

    /// The segment at a place, decoded.
    package func text(of segment: Range<Int>) -> String {
        // What cannot be decoded has been refused.
        bytes.span.extracting(segment).percentDecoded(plusIsSpace: false) ?? ""
    }

    /// Whether the segment at a place is a word, which itself needs no escapes.
    package func segment(_ place: Range<Int>, is word: Span<UInt8>) -> Bool {
        if place.count == word.count { return bytes.span.extracting(place).isEqual(to: word) }
        guard place.count > word.count, bytes.span.extracting(place).isEscaped else { return false }
        return Array(text(of: place).utf8).span.isEqual(to: word)
    }

    /// Whether the segment at a place ends with a word as it is: what is escaped is another.
    package func segment(_ place: Range<Int>, endsWith word: Span<UInt8>) -> Bool {
        place.count >= word.count && bytes.span.extracting((place.upperBound - word.count)..<place.upperBound).isEqual(to: word)
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
            throw RequestError(.badRequest, "the path holds an escape that is malformed, U+0000 or no UTF-8")
        }
        guard !Array(text.utf8).span.isDots else { throw dots }
    }

    private static var dots: RequestError { RequestError(.badRequest, "the path holds a segment of dots") }
}

extension Span<UInt8> {
    fileprivate var isEscaped: Bool {
        for index in 0..<count where self[index] == UInt8(ascii: "%") { return true }
        return false
    }

    fileprivate var isDots: Bool { isExactly(".") || isExactly("..") }

    fileprivate func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }
}
