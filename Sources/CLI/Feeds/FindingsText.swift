internal import Feeds
internal import JSON
internal import Layout
internal import Values

struct FindingsText: Sendable, Equatable {
    let text: String

    /// Of what was not changed, errors are told and the others counted.
    init(_ all: [ReviewFinding], of section: String? = nil) {
        let reported = all.filter { section == nil || $0.section?.text == section || $0.severity == .error }
        let others = all.count - reported.count
        text =
            reported.map { "\($0.severity.rawValue) \($0.sentence)\n" + ($0.advice.isEmpty ? "" : "  \($0.advice)\n") }.joined()
            + (others == 0 ? "" : "note: the review has \(others == 1 ? "a warning" : "\(others) warnings") of other parts.\n")
    }
}

extension ReviewFinding {
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
