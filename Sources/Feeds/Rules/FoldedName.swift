internal import Values

/// The form of a name in which rules compare it: lower case, without accents, and with single spaces instead of all other
/// signs.
package enum FoldedName {
    /// The maximum number of characters, which is that of the index.
    private static let maxCharacters = 100

    /// Returns the folded form of an ASCII name. The rules for other characters are in the database, and the result is nil.
    package static func ascii(_ name: String) -> String? {
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let words = name.lowercased().utf8.split { !($0.isLower || $0.isDigit) }.map { String(decoding: $0, as: UTF8.self) }
        return String(words.joined(separator: " ").prefix(maxCharacters))
    }
}

extension Rule {
    /// The names of developers whose folded form only the database knows.
    package var namesToFold: Set<String> {
        switch self {
        case .all(let rules), .any(let rules): rules.reduce(into: []) { $0.formUnion($1.namesToFold) }
        case .not(let rule): rule.namesToFold
        case .developer(let names): Set(names.filter { FoldedName.ascii($0) == nil })
        default: []
        }
    }
}
