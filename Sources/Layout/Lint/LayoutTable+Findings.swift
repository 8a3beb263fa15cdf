package import JSON

extension LayoutTable {
    /// What is wrong with the fallbacks, as findings in a table that stands at a pointer.
    package func findings(at pointer: JSONPointer) -> [Finding] {
        brokenFallbacks.map { broken in
            Finding(
                code: .brokenFallback, pointer: pointer.appending(broken.layout.text), screens: [], isOnEveryScreen: true,
                sentence: broken.reason.sentence)
        }
    }
}

extension BrokenFallback.Reason {
    fileprivate var sentence: String {
        switch self {
        case .endsBeforeTheCore(let needs):
            "A client without \(needs.sorted().map(\.name).joined(separator: ", ")) is left with nothing: there is no fallback."
        case .missing(let id): "A client that cannot follow this layout is sent to \(id.text), which is not there."
        case .notFewer(let id): "The fallback \(id.text) needs no less than this layout, so that it helps nobody."
        case .needless: "Every client can follow this layout, so that its fallback is never used."
        }
    }
}
