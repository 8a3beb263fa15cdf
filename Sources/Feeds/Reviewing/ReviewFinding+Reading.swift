package import JSON
internal import Layout

extension ReviewFinding {
    /// Reads what was written of one; nil for anything else.
    package init?(_ node: JSONNode) {
        guard let severity = node["severity"]?.string.flatMap(Finding.Severity.init), let code = node["code"]?.string,
            let pointer = node["pointer"]?.string.flatMap({ JSONPointer($0) }), let message = node["message"]?.string
        else { return nil }
        self.init(
            severity: severity, code: Code(rawValue: code), section: node["section"]?.string.flatMap { SectionKey($0) }, pointer: pointer,
            message: message, help: node["help"]?.string ?? "")
    }
}
