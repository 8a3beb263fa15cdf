package import Arguments
package import Postgres
internal import Values

extension ValueFormat {
    /// The same notation, with `auto` for nil: the program decides when it starts.
    func orAuto() -> ValueFormat<Value?> {
        var optional = ValueFormat<Value?>(
            placeholder,
            read: { text throws(InvalidValue) in
                guard text != "auto" else { return nil }
                do throws(InvalidValue) { return try read(text) } catch {
                    let isNear = error.suggestion == nil && text.nearest(among: ["auto"]) != nil
                    throw InvalidValue(expected: "auto or \(error.expectation)", suggestion: isNear ? "auto" : error.suggestion)
                }
            },
            write: { $0.map(write) ?? "auto" })
        optional.choices = choices.isEmpty ? [] : ["auto"] + choices
        return optional
    }

    /// The same notation for a setting that may be left out; `absent` says what happens then.
    func orAbsent(_ absent: String) -> ValueFormat<Value?> {
        var optional = ValueFormat<Value?>(
            placeholder, read: { text throws(InvalidValue) in try read(text) }, write: { $0.map(write) ?? absent })
        optional.choices = choices
        optional.completion = completion
        return optional
    }
}

extension ValueFormat where Value == String {
    /// A path of a file or a directory; a URL is refused, as it was meant for another setting and may hold a password.
    static func path(_ placeholder: String, completedBy hint: CompletionHint) -> ValueFormat {
        ValueFormat(
            placeholder,
            read: { text throws(InvalidValue) in
                guard !text.utf8.contains(0), !text.utf8.contains("://".utf8) else { throw InvalidValue(expected: "a path") }
                return text
            },
            write: { $0.printable() }
        ).completed(by: hint)
    }
}

extension ValueFormat where Value == DatabaseURL {
    /// A database URL, written without its password.
    package static var databaseURL: ValueFormat<DatabaseURL> {
        ValueFormat("URL", read: { text throws(InvalidValue) in try DatabaseURL(parsing: text) }, write: \.redacted)
    }
}
