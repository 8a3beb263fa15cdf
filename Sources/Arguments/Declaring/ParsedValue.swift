/// A value behind one concrete type, so that reading it back as an optional means what it says.
struct ParsedValue<Value: Sendable>: Sendable {
    let value: Value
}

/// Reads every text given for one option or operand into a ``ParsedValue``.
typealias ReadValues = @Sendable ([String]) throws(RejectedText) -> any Sendable

/// Which of several texts was wrong.
struct RejectedText: Error {
    let text: String
    let reason: InvalidValue
}

extension Notation {
    var readOne: ReadValues {
        { texts throws(RejectedText) in ParsedValue(value: try readLast(texts)) }
    }

    var readOptional: ReadValues {
        { texts throws(RejectedText) in ParsedValue<Value?>(value: try readLast(texts)) }
    }

    var readMany: ReadValues {
        { texts throws(RejectedText) in
            var values: [Value] = []
            for text in texts { values.append(try readText(text)) }
            return ParsedValue(value: values)
        }
    }

    private func readLast(_ texts: [String]) throws(RejectedText) -> Value { try readText(texts.last ?? "") }

    private func readText(_ text: String) throws(RejectedText) -> Value {
        guard acceptsEmpty || !text.isEmpty else {
            throw RejectedText(text: text, reason: InvalidValue(expected: "a value that is not empty"))
        }
        do { return try read(text) } catch { throw RejectedText(text: text, reason: error) }
    }
}
