/// Takes the values out of what the server says, for it quotes what it was given.
enum ValueMask {
    private static let mask = "•••"

    /// Class 22 is about values, which stand in quotation marks.
    static func message(_ text: String, _ state: SQLState) -> String {
        guard state.category == "22" else { return text }
        return masked(text, after: "\"", before: "\"")
    }

    /// `Key (id)=(7) already exists.`, `Failing row contains (7, x).`; of class 22 nothing is left, as any part may be a value.
    static func detail(_ text: String, _ state: SQLState) -> String? {
        guard state.category != "22" else { return nil }
        for opening in ["=(", "contains ("] where text.contains(opening) { return masked(text, after: opening, before: ")") }
        return text
    }

    /// From the first opening to the last closing, so that no value can end the mask early.
    private static func masked(_ text: String, after opening: String, before closing: Character) -> String {
        guard let start = text.firstRange(of: opening)?.upperBound, let end = text.lastIndex(of: closing), start <= end else { return text }
        return text[..<start] + mask + text[end...]
    }
}
