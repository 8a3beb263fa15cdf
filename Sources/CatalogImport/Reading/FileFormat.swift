/// How a catalog is written down.
package enum FileFormat: String, CaseIterable, Sendable {
    /// A record of JSON on each line.
    case jsonl
    /// A header and a row for each record.
    case csv
    /// What `apt-cache dumpavail` prints.
    case apt

    /// By the name, or else by the first bytes: a record begins with a brace, and a header does not.
    package static func guess(name: String, beginning: some Sequence<UInt8>) -> FileFormat {
        let suffix = name.split(separator: ".").dropFirst().last.map { $0.lowercased() }
        switch suffix {
        case "jsonl", "ndjson", "json": return .jsonl
        case "csv": return .csv
        default: break
        }
        // A byte order mark and blanks say nothing; a bracket begins what is meant as JSON and is refused as such.
        let first = beginning.first { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == nil || first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .jsonl : .csv
    }
}
