/// A dictionary field of RFC 9651, with strings, tokens, numbers, Booleans and lists of them.
///
/// Parameters are parsed and discarded. As the RFC requires, one malformed part invalidates the whole field. A member becomes a
/// value when it is read.
package struct StructuredDictionary: Sendable {
    package enum Value: Sendable, Equatable {
        /// A string or a token.
        case text(String)
        case number(Double)
        case boolean(Bool)
        case list([Value])
    }

    private let bytes: [UInt8]
    private let parsed: [StructuredScanner.Member]

    /// Reads all fields with the name, joined. Returns nil if no field has the name, or if they are malformed or longer than
    /// 4,096 bytes.
    package init?(_ name: FieldName, of fields: HTTPFields) {
        guard let bytes = fields.listBytes(name), bytes.count <= 4_096 else { return nil }
        self.init(bytes)
    }

    package init?(_ text: String) { self.init(Array(text.utf8)) }

    private init?(_ bytes: [UInt8]) {
        var scanner = StructuredScanner(bytes)
        guard let parsed = scanner.dictionary() else { return nil }
        (self.bytes, self.parsed) = (bytes, parsed)
    }

    package var members: [String: Value] {
        // The last value of a key counts.
        Dictionary(parsed.map { (text(in: $0.key), value(of: $0)) }) { $1 }
    }

    package func text(_ key: String) -> String? {
        switch item(key) {
        case .string(let range, let hasEscapes): hasEscapes ? unescapedText(in: range) : text(in: range)
        case .token(let range): text(in: range)
        case .number, .boolean, nil: nil
        }
    }

    package func number(_ key: String) -> Double? {
        if case .number(let number) = item(key) { number } else { nil }
    }

    /// Returns the texts of a list, or nil if the list is absent or has other values.
    package func texts(_ key: String) -> [String]? {
        guard let member = member(key), isList(member), case .list(let values) = value(of: member) else { return nil }
        let texts = values.compactMap { value in
            if case .text(let text) = value { text } else { nil }
        }
        return texts.count == values.count ? texts : nil
    }

    /// Returns the last member with a key.
    private func member(_ key: String) -> StructuredScanner.Member? {
        parsed.last { $0.key.count == key.utf8.count && bytes[$0.key].elementsEqual(key.utf8) }
    }

    private func isList(_ member: StructuredScanner.Member) -> Bool {
        !member.value.isEmpty && bytes[member.value.lowerBound] == UInt8(ascii: "(")
    }

    /// Returns the item of a member. Returns nil if there is no such member, or if it is a list.
    private func item(_ key: String) -> StructuredScanner.Item? {
        guard let member = member(key), !isList(member) else { return nil }
        guard !member.value.isEmpty else { return .boolean(true) }
        var scanner = StructuredScanner(bytes, from: member.value.lowerBound)
        return scanner.item()
    }

    private func value(of member: StructuredScanner.Member) -> Value {
        guard !member.value.isEmpty else { return .boolean(true) }
        var scanner = StructuredScanner(bytes, from: member.value.lowerBound)
        guard isList(member) else { return scanner.item().map(value) ?? .boolean(true) }
        var values: [Value] = []
        _ = scanner.list { values.append(value(of: $0)) }
        return .list(values)
    }

    private func value(of item: StructuredScanner.Item) -> Value {
        switch item {
        case .string(let range, let hasEscapes): .text(hasEscapes ? unescapedText(in: range) : text(in: range))
        case .token(let range): .text(text(in: range))
        case .number(let number): .number(number)
        case .boolean(let boolean): .boolean(boolean)
        }
    }

    private func text(in range: Range<Int>) -> String { bytes.span.extracting(range).text }

    /// Returns a string in which a backslash is before each quote and each backslash.
    private func unescapedText(in range: Range<Int>) -> String {
        var text: [UInt8] = []
        var isEscaped = false
        for byte in bytes[range] {
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            if !isEscaped { text.append(byte) }
        }
        return text.span.text
    }
}
