internal import Feeds
internal import JSON
internal import Layout
internal import Values

struct FindingsText: Sendable, Equatable {
    let text: String

    /// Creates the text of the findings. If a section is given, the warnings of other parts are only counted.
    init(_ all: [ReviewFinding], of section: String? = nil) {
        let reported = all.filter { section == nil || $0.section?.text == section || $0.severity == .error }
        let others = all.count - reported.count
        text =
            reported.map { "\($0.severity.rawValue): \($0.sentence)\n" + ($0.advice.isEmpty ? "" : "  \($0.advice)\n") }.joined()
            + (others == 0 ? "" : "note: other parts of the document have \(others == 1 ? "1 warning" : "\(others) warnings")\n")
    }
}

extension ReviewFinding {
    /// The location, the message and the code, as compilers write them.
    var sentence: String { "\(location)\(message)".printable(limit: 700) + " [\(code.rawValue)]" }

    /// The remedy; may be empty.
    var advice: String { help.printable(limit: 500) }

    /// The whole finding on one line, without its severity.
    var line: String { "\(location)\(sentences)".printable(limit: 1_000) + " [\(code.rawValue)]" }

    /// The location with a colon. Empty if the finding is not about a part of the document.
    private var location: String {
        guard let section, pointer.tokens.first == "sections" else {
            return pointer.tokens.isEmpty ? "" : "\(pointer.tokens.joined(separator: "/")): "
        }
        return "\(section)\(JSONPointer(tokens: Array(pointer.tokens.dropFirst(2)))): "
    }
}
