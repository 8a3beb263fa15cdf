extension RequestHeadView {
    /// Returns nil if the bytes do not start with a complete head, and for an unusual one: a head that the reader may reject, another
    /// method than GET and HEAD, more than `longest` bytes, or many declared lines.
    ///
    /// A line of another field has no effect on the framing, and none on whether `HTTP1HeadReader` accepts the other lines. Thus, if the
    /// reader accepts a head, it also accepts each head with the same declared lines for which there is a view.
    package init?(_ bytes: Span<UInt8>, _ limits: HTTP1Limits, upTo longest: Int, seed: UInt64) {
        guard bytes.count > 4 else { return nil }
        let method = bytes.extracting(first: 4)
        guard method.isExactly("GET ") || method.isExactly("HEAD") else { return nil }
        let visible = bytes.extracting(first: min(bytes.count, longest, limits.headerBytes))
        self.init(seed: seed)
        var fieldCount = 0
        var start = 0
        while let end = visible.lineEnd(from: start), end > start {
            let line = visible.extracting(start..<end)
            var isDeclared = true
            if start > 0 {
                fieldCount += 1
                guard fieldCount <= limits.headerCount else { return nil }
                let (name, value): (Range<Int>, Range<Int>)
                do throws(RequestError) { (name, value) = try line.fieldLine() } catch { return nil }
                isDeclared = note(line.extracting(name), (start + value.lowerBound)..<(start + value.upperBound))
            }
            if isDeclared { guard append(start..<(end + 2), line) else { return nil } }
            start = end + 2
            count = start + 2
        }
        guard count > 0, count <= visible.count, visible[start] == UInt8(ascii: "\r"), visible[start + 1] == UInt8(ascii: "\n") else {
            return nil
        }
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
