/// A request head over its received bytes, without a copy: its declared lines, and the ID and the languages of the request.
///
/// The declared lines of HTTP/1.1 are the request line and those of the declared fields, with their ends. Those of HTTP/2 are the
/// pseudo-header fields and the declared fields, with their lengths.
package struct RequestHeadView {
    /// The maximum number of runs of consecutive declared lines.
    private static let maxRuns = 8

    /// The number of the bytes of the head, with the empty line at the end of one of HTTP/1.1.
    package var count = 0
    /// The range of the first value of `X-Request-ID`.
    package private(set) var id: Range<Int>?
    /// The range of the value of `Accept-Language`; empty without the field, and nil if it appears more than once.
    package private(set) var languages: Range<Int>? = 0..<0
    private var hasLanguages = false
    private let filter = FieldNameFilter.declaredOrLanguages
    private var sum: SeededHash
    private var starts = InlineArray<8, UInt32>(repeating: 0)
    private var ends = InlineArray<8, UInt32>(repeating: 0)
    private var runCount = 0
    private var lineBytes = 0

    /// Creates a view without declared lines.
    package init(seed: UInt64) { sum = SeededHash(seed: seed) }

    /// The hash of the declared lines.
    package var hash: UInt64 { sum.value }

    /// Notes a field that is not a pseudo-header field, and the place of its value. Returns whether its line is a declared one.
    package mutating func note(_ name: Span<UInt8>, _ value: Range<Int>) -> Bool {
        if id == nil, name.isWord("x-request-id") { id = value }
        guard name.isWord("accept-language") else { return filter.mayContain(name) }
        languages = hasLanguages ? nil : value
        hasLanguages = true
        return FieldNameFilter.declared.mayContain(name)
    }

    /// Adds a declared line. Returns false if there are too many runs of them. `text` are the bytes that are hashed.
    package mutating func append(_ line: Range<Int>, _ text: Span<UInt8>) -> Bool {
        sum.combine(text)
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

    /// Returns the declared lines. `bytes` are those of the head.
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
