/// The content codings that a client accepts, from Accept-Encoding.
///
/// Malformed elements are ignored. If a coding appears twice, the first element counts.
package struct AcceptedCodings: Sendable, Hashable {
    /// The weight in thousandths, or nil if the coding is not listed.
    private var br: Int?
    private var gzip: Int?
    private var identity: Int?
    /// The weight of `*`, which stands for all unlisted codings.
    private var rest: Int?

    package init(_ fields: borrowing HTTPFields) {
        fields.forEach(.acceptEncoding) { line in
            line.forEachWeighted { name, weight in
                if name.isWord("br") {
                    br = br ?? weight
                } else if name.isWord("gzip") || name.isWord("x-gzip") {
                    gzip = gzip ?? weight
                } else if name.isWord("identity") {
                    identity = identity ?? weight
                } else if name.isExactly("*") {
                    rest = rest ?? weight
                }
            }
        }
    }

    /// Returns the available coding with the highest weight, or nil if the client accepts none of them: 406.
    package func preferred(among isAvailable: (ContentCoding) -> Bool) -> ContentCoding? {
        var best: ContentCoding?
        var bestWeight = 0
        for coding in ContentCoding.allCases where weight(of: coding) > bestWeight && isAvailable(coding) {
            best = coding
            bestWeight = weight(of: coding)
        }
        return best
    }

    private func weight(of coding: ContentCoding) -> Int {
        switch coding {
        case .br: br ?? rest ?? 0
        case .gzip: gzip ?? rest ?? 0
        // Unless excluded, identity is always acceptable, but listed codings come first.
        case .identity: identity ?? rest ?? 1
        }
    }
}

/// The compression of a body. The cases are ordered by preference, for clients without one.
package enum ContentCoding: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case br, gzip, identity

    package var description: String {
        switch self {
        case .br: "br"
        case .gzip: "gzip"
        case .identity: "identity"
        }
    }
}

extension Span<UInt8> {
    /// Calls `body` with each element of a list such as `de, en;q=0.8` and its weight in thousandths. Malformed
    /// elements are ignored.
    func forEachWeighted(_ body: (_ name: Span<UInt8>, _ weight: Int) -> Void) {
        forEachListElement { element in
            var end = 0
            while end < element.count, element[end].isToken { end += 1 }
            guard end > 0, let weight = element.extracting(droppingFirst: end).weight else { return }
            body(element.extracting(first: end), weight)
        }
    }

    /// The weight in `;q=0.8`, with optional blanks around the semicolon: 1000 if absent, nil if malformed.
    private var weight: Int? {
        if isEmpty { return 1000 }
        var start = 0
        while start < count, self[start].isBlank { start += 1 }
        guard start < count, self[start] == UInt8(ascii: ";") else { return nil }
        start += 1
        while start < count, self[start].isBlank { start += 1 }
        guard count - start > 2, self[start].lowercased == UInt8(ascii: "q"), self[start + 1] == UInt8(ascii: "=") else { return nil }
        return extracting(droppingFirst: start + 2).thousandths
    }

    /// The thousandths of `0`, `1`, `0.123` or `1.000`: a number up to 1 with at most three decimals. Nil if malformed.
    private var thousandths: Int? {
        guard (1...5).contains(count), self[0] == UInt8(ascii: "0") || self[0] == UInt8(ascii: "1") else { return nil }
        if count > 1, self[1] != UInt8(ascii: ".") { return nil }
        var value = Int(self[0] - 0x30)
        for index in 2..<5 {
            if index < count, !self[index].isDigit { return nil }
            value = value * 10 + (index < count ? Int(self[index] - 0x30) : 0)
        }
        return value <= 1000 ? value : nil
    }
}
