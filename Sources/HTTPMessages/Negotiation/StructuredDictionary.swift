/// A field whose value is a dictionary of RFC 9651, as far as this server asks for one: of strings, tokens, numbers, booleans, and lists of
/// them. Parameters are read and dropped. What is malformed anywhere is as if it were absent altogether, as the RFC asks.
package struct StructuredDictionary: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        /// A string or a token.
        case text(String)
        case number(Double)
        case boolean(Bool)
        case list([Value])
    }

    package let members: [String: Value]

    /// Of all fields with the name, joined; nil where there is none, and where it is malformed or longer than 4,096 bytes.
    package init?(_ name: FieldName, of fields: HTTPFields) {
        guard let text = fields.list(name), text.utf8.count <= 4_096 else { return nil }
        self.init(text)
    }

    package init?(_ text: String) {
        var scanner = StructuredScanner(text)
        guard let members = scanner.dictionary() else { return nil }
        self.members = members
    }

    package func text(_ key: String) -> String? {
        if case .text(let text)? = members[key] { text } else { nil }
    }

    package func number(_ key: String) -> Double? {
        if case .number(let number)? = members[key] { number } else { nil }
    }

    /// The texts of a list; nil where there is none, or where it has anything else.
    package func texts(_ key: String) -> [String]? {
        guard case .list(let values)? = members[key] else { return nil }
        let texts = values.compactMap { value in
            if case .text(let text) = value { text } else { nil }
        }
        return texts.count == values.count ? texts : nil
    }
}
