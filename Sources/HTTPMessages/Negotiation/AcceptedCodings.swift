/// The codings that a client can read, as Accept-Encoding tells.
///
/// A malformed element goes for nothing. Of two elements for one coding the first counts.
package struct AcceptedCodings: Sendable, Hashable {
    /// In thousandths; nil where it is not named.
    private var br: Int?
    private var gzip: Int?
    private var identity: Int?
    /// Of `*`, which stands for all that are not named.
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

    /// The one of those that there are which the client likes most; nil where it can read none of them: 406.
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
        // Always readable unless it is refused, but named codings come first.
        case .identity: identity ?? rest ?? 1
        }
    }
}

/// How the bytes of a body are compressed; the best first, should a client not care.
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
    /// The elements of a list such as `de, en;q=0.8`, each with its weight in thousandths. What is malformed is left out.
    func forEachWeighted(_ body: (_ name: Span<UInt8>, _ weight: Int) -> Void) {
        forEachListElement { element in
            var end = 0
            while end < element.count, element[end].isToken { end += 1 }
            guard end > 0, let weight = element.extracting(droppingFirst: end).weight else { return }
            body(element.extracting(first: end), weight)
        }
    }

    /// `;q=0.8` with blanks around the semicolon; 1000 where there is nothing, nil where there is something else.
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

    /// `0`, `1`, `0.123`, `1.000`: at most three digits behind the point and no more than 1.
    private var thousandths: Int? {
        guard (1...5).contains(count), self[0] == UInt8(ascii: "0") || self[0] == UInt8(ascii: "1") else { return nil }
        if count > 1, self[1] != UInt8(ascii: ".") { return nil }
        var value = Int(self[0] - 0x30)
        for place in 2..<5 {
            if place < count, !self[place].isDigit { return nil }
            value = value * 10 + (place < count ? Int(self[place] - 0x30) : 0)
        }
        return value <= 1000 ? value : nil
    }
}
