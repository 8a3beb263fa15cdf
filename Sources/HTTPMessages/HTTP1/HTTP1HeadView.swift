/// A request head over its received bytes, without a copy: its declared lines, which are the request line and those of the declared
/// fields, and the ID of the request.
///
/// A line of another field has no effect on the framing, and none on whether `HTTP1HeadReader` accepts the other lines. Thus, if the
/// reader accepts a head, it also accepts each head with the same declared lines for which there is a view.
package struct HTTP1HeadView {
    /// The maximum number of runs of consecutive declared lines.
    private static let maxRuns = 8

    /// The number of the bytes of the head, with the empty line at its end.
    package private(set) var count = 0
    /// The hash of the declared lines.
    package private(set) var hash: UInt64 = 0
    /// The range of the first value of `X-Request-ID`.
    package private(set) var id: Range<Int>?
    /// The range of the value of `Accept-Language`; empty without the field, and nil if it appears more than once.
    package private(set) var languages: Range<Int>? = 0..<0
    private var starts = InlineArray<8, UInt32>(repeating: 0)
    private var ends = InlineArray<8, UInt32>(repeating: 0)
    private var runCount = 0
    private var lineBytes = 0

    /// Returns nil if the bytes do not start with a complete head, and for an unusual one: a head that the reader may reject, another
    /// method than GET and HEAD, more than `longest` bytes, or many declared lines.
    package init?(_ bytes: Span<UInt8>, _ limits: HTTP1Limits, upTo longest: Int, seed: UInt64) {
        guard bytes.count > 4 else { return nil }
        let method = bytes.extracting(first: 4)
        guard method.isExactly("GET ") || method.isExactly("HEAD") else { return nil }
        let visible = bytes.extracting(first: min(bytes.count, longest, limits.headerBytes))
        let (declared, languageNames) = (FieldNameFilter.declared, FieldNameFilter.languages)
        var hash = SeededHash(seed: seed)
        var fieldCount = 0
        var hasLanguages = false
        var start = 0
        while let end = visible.lineEnd(from: start), end > start {
            let line = visible.extracting(start..<end)
            var isDeclared = true
            if start > 0 {
                fieldCount += 1
                guard fieldCount <= limits.headerCount else { return nil }
                let (name, value): (Range<Int>, Range<Int>)
                do throws(RequestError) { (name, value) = try line.fieldLine() } catch { return nil }
                let nameBytes = line.extracting(name)
                isDeclared = declared.mayContain(nameBytes)
                if nameBytes.isWord("x-request-id") {
                    if id == nil { id = (start + value.lowerBound)..<(start + value.upperBound) }
                } else if nameBytes.isWord("accept-language") {
                    languages = hasLanguages ? nil : (start + value.lowerBound)..<(start + value.upperBound)
                    hasLanguages = true
                } else if languageNames.mayContain(nameBytes) {
                    isDeclared = true
                }
            }
            if isDeclared {
                hash.combine(line)
                guard append(start..<(end + 2)) else { return nil }
            }
            start = end + 2
            count = start + 2
        }
        self.hash = hash.value
        guard count > 0, count <= visible.count, visible[start] == UInt8(ascii: "\r"), visible[start + 1] == UInt8(ascii: "\n") else {
            return nil
        }
    }

    /// Returns false if there are too many runs of declared lines.
    private mutating func append(_ line: Range<Int>) -> Bool {
        lineBytes += line.count
        if runCount > 0, Int(ends[runCount - 1]) == line.lowerBound {
            ends[runCount - 1] = UInt32(truncatingIfNeeded: line.upperBound)
            return true
        }
        guard runCount < Self.maxRuns else { return false }
        starts[runCount] = UInt32(truncatingIfNeeded: line.lowerBound)
        ends[runCount] = UInt32(truncatingIfNeeded: line.upperBound)
        runCount += 1
        return true
    }

    /// Returns the declared lines with their ends. `bytes` are those of the head.
    package func declaredLines(of bytes: Span<UInt8>) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(lineBytes)
        for run in 0..<runCount { bytes.extracting(Int(starts[run])..<Int(ends[run])).append(to: &lines) }
        return lines
    }

    /// Whether the declared lines have these bytes. `bytes` are those of the head.
    package func hasDeclaredLines(_ lines: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
        guard lines.count == lineBytes else { return false }
        var position = 0
        for run in 0..<runCount {
            let range = Int(starts[run])..<Int(ends[run])
            guard bytes.extracting(range).isEqual(to: lines.extracting(position..<(position + range.count))) else { return false }
            position += range.count
        }
        return true
    }
}

extension Span<UInt8> {
    /// Returns the index of the CR LF after a text without control characters; nil if the text does not end so.
    fileprivate func lineEnd(from start: Int) -> Int? {
        let end = endOfText(from: start)
        guard end + 1 < count, self[end] == UInt8(ascii: "\r"), self[end + 1] == UInt8(ascii: "\n") else { return nil }
        return end
    }
}
