/// Takes the values out of what the server says, for it quotes what it was given.
enum ValueRedactor {
    private static let mask = "•••"

    /// Class 22 is about values, which stand in quotation marks: in these of English, or in others that are not ASCII.
    static func message(_ text: String, _ state: SQLState) -> String {
        guard state.category == "22" else { return text }
        let start = text.firstRange(of: "\"")?.upperBound
        guard text[..<(start ?? text.endIndex)].utf8.allSatisfy({ $0 < 0x80 }) else { return "a value was refused: \(mask)" }
        return start.map { masked(text, from: $0, before: "\"") } ?? text
    }

    /// `Key (id)=(7) already exists.`, `Failing row contains (7, x).`; of class 22 nothing is left, as any part may be a value.
    static func detail(_ text: String, _ state: SQLState) -> String? {
        guard state.category != "22" else { return nil }
        var start = ["=(", "contains ("].compactMap { text.firstRange(of: $0)?.upperBound }.min()
        // Other languages have other words for what a row contains.
        if start == nil, state.category == "23" { start = text.firstRange(of: "(")?.upperBound }
        return start.map { masked(text, from: $0, before: ")") } ?? text
    }

    /// To the last closing, so that no value can end the mask early.
    private static func masked(_ text: String, from start: String.Index, before closing: Character) -> String {
        guard let end = text.lastIndex(of: closing), start <= end else { return text[..<start] + mask }
        return text[..<start] + mask + text[end...]
    }
}
