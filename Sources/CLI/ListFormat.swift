internal import Arguments

enum ListFormat: String, CaseIterable, Sendable {
    case table, wide, json, jsonl, yaml, csv, name

    static let option = Option(
        "output", short: "o", .choice(of: ListFormat.self).named("FORMAT"), default: .table, "The output format.")
}

enum OutputFormat: String, CaseIterable, Sendable {
    case table
    case json

    static let option = Option(
        "output", short: "o", .choice(of: OutputFormat.self).named("FORMAT"), default: .table, "The output format.")
}
