/// A dictionary field of RFC 9651, with strings, tokens, numbers, Booleans and lists of them.
///
/// Parameters are parsed and discarded. As the RFC requires, one malformed part invalidates the whole field.
package struct StructuredDictionary: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        /// A string or a token.
        case text(String)
        case number(Double)
        case boolean(Bool)
        case list([Value])
    }

    package let members: [String: Value]

    /// Reads all fields with the name, joined. Returns nil if no field has the name, or if they are malformed or longer than
    /// 4,096 bytes.
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

    /// Returns the texts of a list, or nil if the list is absent or has other values.
    package func texts(_ key: String) -> [String]? {
        guard case .list(let values)? = members[key] else { return nil }
        let texts = values.compactMap { value in
            if case .text(let text) = value { text } else { nil }
        }
        return texts.count == values.count ? texts : nil
    }
}
