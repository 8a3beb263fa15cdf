/// A box around a parsed value. It keeps an optional value that is nil distinct from a failed cast.
struct ParsedValue<Value: Sendable>: Sendable {
    let value: Value
}

/// Parses all texts of one option or argument into a ``ParsedValue``.
typealias ReadValues = @Sendable ([String]) throws(InvalidText) -> any Sendable

/// The invalid one of several texts.
struct InvalidText: Error {
    let text: String
    let reason: InvalidValue
}

extension ValueFormat {
    var readOne: ReadValues {
        { texts throws(InvalidText) in ParsedValue(value: try readLast(texts)) }
    }

    var readOptional: ReadValues {
        { texts throws(InvalidText) in ParsedValue<Value?>(value: try readLast(texts)) }
    }

    var readMany: ReadValues {
        { texts throws(InvalidText) in
            var values: [Value] = []
            for text in texts { values.append(try readText(text)) }
            return ParsedValue(value: values)
        }
    }

    private func readLast(_ texts: [String]) throws(InvalidText) -> Value { try readText(texts.last ?? "") }

    private func readText(_ text: String) throws(InvalidText) -> Value {
        guard acceptsEmpty || !text.isEmpty else {
            throw InvalidText(text: text, reason: InvalidValue(expected: "a non-empty value"))
        }
        do { return try read(text) } catch { throw InvalidText(text: text, reason: error) }
    }
}

/// The source of a value, strongest first.
package enum ValueSource: Sendable, Equatable {
    case flag
    /// An environment variable with this name.
    case environment(String)
    /// The default of the declaration, or no value if it has none.
    case `default`
}
