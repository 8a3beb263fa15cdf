internal import JSON
internal import Values

struct DoctorReport: JSONObjectEncodable {
    let version: String
    let checks: [Check]

    var hasIssues: Bool { checks.contains { $0.status == .attention } }

    /// Returns the report, wrapped between words at the given width.
    func text(width room: Int? = nil, isColored: Bool) -> String {
        let width = checks.map(\.name.count).max() ?? 0
        let lines = checks.map { check in
            let margin = String(repeating: " ", count: width + 6)
            let found = broken(check.found, room, width + 6).joined(separator: "\n\(margin)")
            let advice = check.advice.map { "\n\(margin)→ " + broken($0, room, width + 8).joined(separator: "\n\(margin)  ") } ?? ""
            return "  \(check.status.mark(isColored: isColored)) \(check.name.padded(to: width))  \(found)\(advice)\n"
        }
        let count = checks.count { $0.status == .attention }
        let end = count == 0 ? "No issues found." : count == 1 ? "1 issue found." : "\(count) issues found."
        return lines.joined() + "\n\(end)\n"
    }

    private func broken(_ text: String, _ room: Int?, _ margin: Int) -> [String] {
        room.map { text.broken(into: max(12, $0 - margin)) } ?? [text]
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("version", version)
        json.member("ok", !hasIssues)
        json.member("checks", checks)
    }
}

extension Check: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("status", status.rawValue)
        json.member("found", found)
        json.member("hint", advice)
    }
}

extension Check.Status {
    fileprivate func mark(isColored: Bool) -> String {
        let (mark, color) =
            switch self {
            case .ok: ("✓", 32)
            case .note: ("·", 2)
            case .attention: ("!", 33)
            }
        return isColored ? "\u{1B}[\(color)m\(mark)\u{1B}[0m" : mark
    }
}

/// One check with its result and, if it needs attention, the remedy.
struct Check: Sendable, Equatable {
    enum Status: String, Sendable {
        case ok
        /// Information that requires no action.
        case note
        case attention
    }

    /// The name, stable and in lower case.
    let name: String
    let status: Status
    let found: String
    let advice: String?

    static func ok(_ name: String, _ found: String) -> Check { Check(name: name, status: .ok, found: found, advice: nil) }

    static func note(_ name: String, _ found: String, _ advice: String? = nil) -> Check {
        Check(name: name, status: .note, found: found, advice: advice)
    }

    static func attention(_ name: String, _ found: String, _ advice: String) -> Check {
        Check(name: name, status: .attention, found: found, advice: advice)
    }
}
