package import Arguments

extension DatabaseURL {
    /// Reads `postgresql://` and `postgres://` by the rules of libpq, stricter where those would take a part of a password for something else.
    ///
    /// No error holds any part of the text.
    package init(parsing text: String) throws(InvalidValue) {
        var parser = try DatabaseURLParser(text)
        try parser.parse()
        self.init(parser, hosts: try parser.hosts(), text: text)
    }
}
