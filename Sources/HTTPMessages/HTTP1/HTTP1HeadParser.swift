/// Reads a head that is known to be complete, with every line ended by CRLF.
enum HTTP1HeadParser {
    static func parse(
        _ bytes: Span<UInt8>, _ range: Range<Int>, lineCount: Int, limits: HTTP1Limits
    ) throws(Refusal) -> RequestHead {
        var line = line(of: bytes, at: range.lowerBound)
        let request = try RequestLine(parsing: bytes.extracting(line), targetBytes: limits.targetBytes)
        var fields = Fields(byteCount: range.count, fieldCount: lineCount)
        line = self.line(of: bytes, at: line.upperBound + 2)
        while !line.isEmpty {
            try append(bytes.extracting(line), to: &fields)
            line = self.line(of: bytes, at: line.upperBound + 2)
        }
        return try RequestHead(request, fields)
    }

    /// Up to the CRLF that follows.
    private static func line(of bytes: Span<UInt8>, at start: Int) -> Range<Int> {
        var end = start
        while bytes[end] != UInt8(ascii: "\r") { end += 1 }
        return start..<end
    }

    private static func append(_ line: Span<UInt8>, to fields: inout Fields) throws(Refusal) {
        var colon = 0
        while colon < line.count, line[colon].isToken { colon += 1 }
        guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else {
            throw Refusal(.badRequest, line[0].isBlank ? "a header that is continued on a second line" : "a malformed header name")
        }
        var start = colon + 1
        var end = line.count
        while start < end, line[start].isBlank { start += 1 }
        while end > start, line[end - 1].isBlank { end -= 1 }
        for index in start..<end where !line[index].isFieldValue { throw Refusal(.badRequest, "a control character in a header") }
        fields.append(name: line.extracting(0..<colon), value: line.extracting(start..<end))
    }
}
