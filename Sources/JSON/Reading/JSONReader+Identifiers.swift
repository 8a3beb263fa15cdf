package import Values

extension JSONReader {
    /// Returns a string in the given format.
    package func identifier(_ form: IdentifierFormat) throws(JSONReadError) -> String {
        let text = try decode(as: String.self)
        guard form.fits(text) else { throw refuse(.invalidFormat, "expected \(form.expected)") }
        return text
    }

    /// Returns a name that the catalog does not define, such as a cell style.
    package func name() throws(JSONReadError) -> String { try identifier(.name) }

    /// The regular expression of the names that `name()` reads.
    package static var namePattern: String { IdentifierFormat.name.pattern }

    /// Reports that the key of this value is not one of these. Returns an error to throw.
    package func refuseKey(_ subject: String, among keys: [String]) -> JSONReadError {
        let list = keys.prefix(20).map { "\"\($0.printable(limit: 48))\"" }.joined(separator: ", ")
        return refuse(.invalidChoice, "\(subject) \(list)", hint: key.nearest(among: keys).map { "did you mean \"\($0)\"?" })
    }

    package func identifiers(_ form: IdentifierFormat) throws(JSONReadError) -> [String] {
        try oneOrMore(Self.maxIdentifiers) { element throws(JSONReadError) in try element.identifier(form) }
    }

    package static var maxIdentifiers: Int { 50 }
}

extension JSONReader {
    package func locale() throws(JSONReadError) -> LocaleTag {
        guard let locale = LocaleTag(try decode(as: String.self)) else {
            throw refuse(.invalidFormat, "expected \(IdentifierFormat.locale.expected)")
        }
        return locale
    }
}
