extension String {
    /// This text with every scalar spelled out that a terminal would obey or that would change how the rest looks: a newline is `\u{a}`.
    ///
    /// - Parameter limit: How many scalars are kept; what is cut off is an ellipsis.
    /// - Returns: One line, whatever the text holds.
    package func printable(limit: Int = .max) -> String {
        var result = ""
        var count = 0
        for scalar in unicodeScalars {
            guard count < limit else { return result + "…" }
            count += 1
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension String {
    /// Whether this may be a URL or a connection string with a password that went astray; such a text stands in no message.
    package var mayHoldPassword: Bool {
        utf8.contains(UInt8(ascii: "@")) || ["://", "password=", "password ="].contains { utf8.contains($0.utf8) }
    }
}
