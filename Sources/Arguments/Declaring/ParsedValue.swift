/// A value behind one concrete type, so that reading it back as an optional means what it says.
struct ParsedValue<Value: Sendable>: Sendable {
    let value: Value
}

/// Reads every text given for one option or operand into a ``ParsedValue``.
typealias ReadValues = @Sendable ([String]) throws(InvalidText) -> any Sendable

/// Which of several texts was wrong.
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
            throw InvalidText(text: text, reason: InvalidValue(expected: "a value that is not empty"))
        }
        do { return try read(text) } catch { throw InvalidText(text: text, reason: error) }
    }
}

/// Where a value comes from, strongest first.
package enum ValueSource: Sendable, Equatable {
    case flag
    /// An environment variable of this name.
    case environment(String)
    /// The declaration's default, or nothing at all where it has none.
    case `default`
}
