/// A redactor of server messages, which quote the values that they were given.
enum ValueRedactor {
    private static let mask = "•••"

    /// Masks the quoted values in a message of class 22. Masks the whole message if its quotation marks may not be
    /// ASCII.
    static func message(_ text: String, _ state: SQLState) -> String {
        guard state.category == "22" else { return text }
        let start = text.firstRange(of: "\"")?.upperBound
        guard text[..<(start ?? text.endIndex)].utf8.allSatisfy({ $0 < 0x80 }) else { return "a value was rejected: \(mask)" }
        return start.map { masked(text, from: $0, before: "\"") } ?? text
    }

    /// Masks values in details such as `Key (id)=(7) already exists.`. Returns nil if the class is 22, in
    /// which any part may be a value.
    static func detail(_ text: String, _ state: SQLState) -> String? {
        guard state.category != "22" else { return nil }
        var start = ["=(", "contains ("].compactMap { text.firstRange(of: $0)?.upperBound }.min()
        // Other languages use other words than "contains".
        if start == nil, state.category == "23" { start = text.firstRange(of: "(")?.upperBound }
        return start.map { masked(text, from: $0, before: ")") } ?? text
    }

    /// Masks up to the last closing character, so that a value cannot end the mask early.
    private static func masked(_ text: String, from start: String.Index, before closing: Character) -> String {
        guard let end = text.lastIndex(of: closing), start <= end else { return text[..<start] + mask }
        return text[..<start] + mask + text[end...]
    }
}
