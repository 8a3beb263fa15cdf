/// The width of a text on a terminal, in columns.
extension StringProtocol {
    package var columns: Int { reduce(0) { $0 + $1.columns } }

    package func prefix(columns: Int) -> SubSequence {
        var room = columns
        return prefix { character in
            room -= character.columns
            return room >= 0
        }
    }
}

extension String {
    /// Returns lines of at most `room` columns, broken between words. Truncates longer words.
    package func broken(into room: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if longer.columns <= room {
                line = longer
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = word.columns > room ? word.prefix(columns: max(1, room - 1)) + "…" : String(word)
        }
        return line.isEmpty ? lines : lines + [line]
    }
}

extension Character {
    /// Two for the wide characters of East Asian scripts and for emoji, otherwise one.
    package var columns: Int {
        switch unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
