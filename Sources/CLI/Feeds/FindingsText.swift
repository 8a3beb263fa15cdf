internal import Feeds
internal import Layout

/// What a review has found, as a person is told.
struct FindingsText: Sendable, Equatable {
    let text: String

    /// Of what was not changed, errors are told and the others counted.
    init(_ all: [ReviewFinding], of section: String? = nil) {
        let told = all.filter { section == nil || $0.section?.text == section || $0.severity == .error }
        let others = all.count - told.count
        text =
            told.map { "\($0.severity.rawValue) \($0.sentence)\n" + ($0.advice.isEmpty ? "" : "  \($0.advice)\n") }.joined()
            + (others == 0 ? "" : "note: the review has \(others == 1 ? "a warning" : "\(others) warnings") of other parts.\n")
    }
}
