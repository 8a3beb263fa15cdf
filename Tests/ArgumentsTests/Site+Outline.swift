import Arguments

extension Site {
    /// Returns a line that describes an outcome: the command with its values, or the codes of the issues.
    static func outline(_ arguments: [String], environment: [String: String] = [:]) -> String {
        switch root.outcome(of: arguments, environment: environment) {
        case .run(_, let invocation):
            ([invocation.commandPath] + values(invocation)).joined(separator: " ")
        case .text(let text):
            "text: \(text.split(separator: "\n").first ?? "")"
        case .complete:
            "complete"
        case .usage(let error):
            "usage: \(error.problems.map(\.code.rawValue).joined(separator: " "))"
        }
    }

    private static func values(_ invocation: Invocation) -> [String] {
        let values: [(String, String?)] =
            switch invocation.commandPath {
            case "vitrine feed ls":
                [
                    ("all", invocation[all] ? "yes" : nil), ("limit", invocation[limit] == 50 ? nil : "\(invocation[limit])"),
                    ("label", invocation[labels].isEmpty ? nil : invocation[labels].joined(separator: "+")),
                ]
            case "vitrine section move":
                [
                    ("feed", invocation[sectionFeed]), ("section", invocation[sectionKey]),
                    ("position", invocation[position].map { "\($0)" }), ("offset", invocation[offset].map { "\($0)" }),
                ]
            case "vitrine publish":
                [
                    ("feed", invocation[feedArgument]), ("rev", invocation[rev].map { "\($0)" }), ("from", invocation[from]),
                    ("wait", invocation[wait] ? nil : "no"),
                    ("timeout", invocation[timeout] == .seconds(30) ? nil : "\(invocation[timeout])"),
                ]
            case "vitrine promote":
                [("from", invocation[source]), ("feeds", invocation[feeds].joined(separator: "+"))]
            case "vitrine edit":
                [("dir", invocation[directory]), ("file", invocation[file])]
            case "vitrine db psql":
                [("rest", invocation[Database.rest].joined(separator: "+"))]
            case "vitrine serve", "vitrine db migrate":
                ["listen", "log-level", "compress"].map { ($0, invocation.flagText($0)) }
            default:
                []
            }
        let output = (invocation[output] == .table ? nil : invocation[output].rawValue)
        return (values + [("output", output), ("verbose", invocation[verbose] ? "yes" : nil)])
            .compactMap { name, value in value.map { "\(name)=\($0)" } }
    }
}
