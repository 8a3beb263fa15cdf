extension String {
    /// Returns this text in a form that is safe to print. Control and other scalars that affect a terminal or the display
    /// are escaped: a newline is `\u{a}`.
    ///
    /// - Parameter limit: The number of scalars to keep. An ellipsis replaces the rest.
    /// - Returns: One line, for any text.
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
    /// Whether the text may be a URL or a connection string with a password. Such a text must not appear in messages.
    package var mayHoldPassword: Bool {
        utf8.contains(UInt8(ascii: "@")) || ["://", "password=", "password ="].contains { holds($0.utf8) }
    }

    /// Whether the bytes occur in this text. The search of the standard library takes many times as long for a text of the maximum length
    /// of an argument.
    private func holds(_ bytes: String.UTF8View) -> Bool {
        guard let first = bytes.first else { return true }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: bytes) { return true }
            rest.removeFirst()
        }
        return false
    }
}
