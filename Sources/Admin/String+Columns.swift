/// How much room a text takes on a terminal.
extension StringProtocol {
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// As much of it as there is room for.
    func prefix(columns: Int) -> SubSequence {
        var room = columns
        return prefix { character in
            room -= character.columns
            return room >= 0
        }
    }
}

extension Character {
    /// Two for what East Asian typography sets in a square.
    fileprivate var columns: Int {
        switch unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
