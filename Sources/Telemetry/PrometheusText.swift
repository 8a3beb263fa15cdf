package struct PrometheusText {
    package enum Kind: String {
        case counter, gauge, histogram, summary
    }

    package private(set) var text = ""

    package init() {}

    /// Starts a metric, whose samples follow.
    package mutating func describe(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    package mutating func sample(_ name: String, _ labels: KeyValuePairs<String, String> = [:], _ value: Double) {
        let list = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(Self.number(value))\n"
    }

    package mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        describe(name, kind, help)
        sample(name, [:], value)
    }

    static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
