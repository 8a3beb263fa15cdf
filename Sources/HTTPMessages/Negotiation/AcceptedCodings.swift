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
