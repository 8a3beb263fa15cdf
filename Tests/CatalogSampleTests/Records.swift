import JSON

/// The records of a JSON Lines file.
struct Records {
    let all: [JSONNode]

    init(_ bytes: [UInt8]) throws {
        all = try bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map {
            try JSONDocument(parsing: Array($0)).root
        }
    }
}

extension JSONNode {
    func text(_ key: String) -> String { self[key]?.string ?? "" }

    func texts(_ key: String) -> [String] { self[key]?.elements.compactMap(\.string) ?? [] }

    /// Returns a text by locale. A plain string is English.
    func localized(_ key: String) -> [String: String] {
        guard let value = self[key] else { return [:] }
        if let text = value.string { return ["en": text] }
        return Dictionary(value.members.map { ($0.key, $0.value.string ?? "") }) { first, _ in first }
    }
}
