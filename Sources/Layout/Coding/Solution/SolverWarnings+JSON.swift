package import JSON

extension SolverWarnings: JSONEncodable {
    /// The codes that curators see, sorted.
    package var codes: [String] {
        let all: [(SolverWarnings, String)] = [
            (.clamped, "CLAMPED"), (.crossOverflow, "CROSS_OVERFLOW"), (.droppedSubitem, "DROPPED_SUBITEM"), (.overflow, "OVERFLOW"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }

    package func encode(to json: inout JSONWriter) { json.value(codes) }
}
