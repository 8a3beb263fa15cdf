internal import Values

/// A size and a weight of text, with an estimate of the width of a text in it.
///
/// The device of the reader chooses the typeface, so no exact width is known. The estimate is that of a common sans
/// serif such as Inter or Segoe UI, and slightly too large.
struct Font {
    enum Weight: Int {
        case regular = 400, medium = 500, semibold = 600, bold = 700
    }

    let size: Double
    let weight: Weight

    init(_ size: Double, _ weight: Weight = .regular) {
        self.size = size
        self.weight = weight
    }

    /// The distance from one baseline to the next.
    var leading: Double { (size * 1.24).rounded() }

    func width(of text: some StringProtocol) -> Double { text.reduce(0) { $0 + width(of: $1) } }

    private func width(of character: Character) -> Double {
        let share = Self.share(of: character)
        return size * (weight.rawValue >= 600 ? share * 1.05 : share)
    }

    /// The width of a character as a share of the size.
    private static func share(of character: Character) -> Double {
        if character.columns == 2 { return 1 }
        switch character {
        case "i", "j", "l", "I", "|", "!", "'", "’", ".", ",", ":", ";", " ", "\u{A0}": return 0.28
        case "f", "t", "r", "(", ")", "-", "·": return 0.37
        case "c", "k", "s", "v", "x", "y", "z": return 0.55
        case "m", "w", "M", "W", "@", "%", "…", "—": return 0.9
        case "A"..."Z", "&", "$", "€", "★": return 0.69
        case "a"..."z", "0"..."9": return 0.58
        case "\u{0600}"..."\u{06FF}": return 0.52
        default: return 0.64
        }
    }

    /// Returns the text, or its beginning with an ellipsis if the text is wider than `room`.
    func fitted(_ text: String, in room: Double) -> String {
        if width(of: text) <= room { return text }
        var left = room - width(of: "…")
        let beginning = text.prefix { character in
            left -= width(of: character)
            return left >= 0
        }
        return beginning.trimmingEnd() + "…"
    }

    /// Returns lines that fit into `room`, broken between words. The last of `maximum` lines ends with an ellipsis if
    /// words remain.
    func lines(of text: String, in room: Double, maximum: Int) -> [String] {
        guard maximum > 1, width(of: text) > room else { return maximum > 0 ? [fitted(text, in: room)] : [] }
        var lines: [String] = []
        var rest = text[...]
        while lines.count < maximum - 1, width(of: rest) > room {
            var left = room
            var end = rest.startIndex
            var lastBreak: String.Index?
            for index in rest.indices {
                left -= width(of: rest[index])
                // Scripts with wide characters have no spaces and break anywhere.
                if rest[index] == " " || (rest[index].columns == 2 && index > rest.startIndex) { lastBreak = index }
                guard left >= 0 else { break }
                end = rest.index(after: index)
            }
            guard let lastBreak, lastBreak > rest.startIndex, lastBreak <= end else { break }
            lines.append(rest[..<lastBreak].trimmingEnd())
            rest = rest[lastBreak...].drop { $0 == " " }
        }
        return lines + [fitted(String(rest), in: room)]
    }

    /// Returns the first lines of a text with line breaks.
    func lines(ofParagraphs text: String, in room: Double, maximum: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n") where lines.count < maximum {
            lines += self.lines(of: String(paragraph), in: room, maximum: maximum - lines.count)
        }
        return lines
    }
}

extension StringProtocol {
    fileprivate func trimmingEnd() -> String { String(reversed().drop { $0 == " " }.reversed()) }
}
