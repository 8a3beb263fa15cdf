internal import Arguments

/// How a command writes its data.
enum OutputFormat: String, CaseIterable, Sendable {
    case table
    case json

    static let option = Option(
        "output", short: "o", .choice(of: OutputFormat.self).named("FORMAT"), default: .table, "How the result is written.")
}
