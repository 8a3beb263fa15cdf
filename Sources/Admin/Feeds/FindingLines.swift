internal import JSON
internal import Spelling

/// What a review has found, as a person is told.
struct FindingLines: Sendable, Equatable {
    let text: String

    /// Of the `findings` of an answer. Of what was not changed, errors are told and the others counted.
    init(_ findings: JSONNode, of section: String? = nil) {
        let all = findings.elements.map { $0 }
        let told = all.filter { section == nil || $0["section"]?.string == section || $0["severity"]?.string == "error" }
        let others = all.count - told.count
        text =
            told.map { finding in
                func word(_ key: String) -> String { finding[key]?.string?.printable(limit: 500) ?? "" }
                return "\(word("severity")): \(word("message")) [\(word("code")) at \(word("pointer"))]\n"
                    + (word("help").isEmpty ? "" : "  \(word("help"))\n")
            }.joined() + (others == 0 ? "" : "note: the review has \(others == 1 ? "a warning" : "\(others) warnings") of other parts.\n")
    }
}
