import Values

extension ValueFormat where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of the cases, written as its raw value.
    package static func choice(of type: Value.Type) -> ValueFormat {
        let names = type.allCases.map(\.rawValue)
        var notation = ValueFormat(
            "CHOICE",
            read: { text throws(InvalidValue) in
                guard text.utf8.count <= ArgumentScanner.longestName, let value = Value(rawValue: text) else {
                    throw InvalidValue(
                        expected: names.count == 1 ? "'\(names[0])'" : "one of \(names.joined(separator: ", "))",
                        suggestion: text.nearest(among: names))
                }
                return value
            },
            write: { $0.rawValue })
        notation.choices = names
        return notation
    }
}
