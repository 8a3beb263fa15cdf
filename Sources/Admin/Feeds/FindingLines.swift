internal import JSON
internal import Spelling

/// What a review has found, as a person is told.
struct FindingLines: Sendable, Equatable {
    let text: String

    /// Of the `findings` of an answer.
    init(_ findings: JSONNode) {
        text = findings.elements.map { finding in
            func word(_ key: String) -> String { finding[key]?.string?.printable(limit: 500) ?? "" }
            return "\(word("severity")): \(word("message")) [\(word("code")) at \(word("pointer"))]\n"
                + (word("help").isEmpty ? "" : "  \(word("help"))\n")
        }.joined()
    }
}
