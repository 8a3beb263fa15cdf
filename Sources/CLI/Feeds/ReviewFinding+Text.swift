internal import Feeds
internal import JSON
internal import Values

/// A finding as every command tells it.
extension ReviewFinding {
    /// What is so, and where: a place in a section by its key.
    var sentence: String { "\(code.rawValue) \(place): \(message)".printable(limit: 700) }

    /// What to do about it; may be empty.
    var advice: String { help.printable(limit: 500) }

    /// All of it on one line, without how severe it is.
    var line: String { "\(sentence)\(sentence.hasSuffix(".") ? "" : ".")\(advice.isEmpty ? "" : " \(advice)")" }

    private var place: String {
        guard let section, pointer.tokens.first == "sections" else { return pointer.description }
        return "\(section)\(JSONPointer(tokens: Array(pointer.tokens.dropFirst(2))))"
    }
}
