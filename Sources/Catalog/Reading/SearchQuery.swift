/// A query of the search index, in the text form of a `tsquery`.
enum SearchQuery {
    static func facets(_ facets: [String], without others: [String] = [], kinds: [String], scopes: [String]) -> String {
        let wanted = facets.map { lexeme("@\($0)") }
        let unwanted = others.map { "!\(lexeme("@\($0)"))" }
        return (wanted + unwanted + [anyOf(kinds), anyOf(scopes)]).joined(separator: " & ")
    }

    /// All words, each as the beginning of one.
    static func words(_ words: [String]) -> String { words.map { "\(lexeme($0)):*" }.joined(separator: " & ") }

    /// A title that begins so.
    static func title(_ text: String) -> String { "\(lexeme("=\(text)")):*" }

    private static func anyOf(_ words: [String]) -> String { "(\(words.map { lexeme("@\($0)") }.joined(separator: " | ")))" }

    private static func lexeme(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "''"))'"
    }
}
