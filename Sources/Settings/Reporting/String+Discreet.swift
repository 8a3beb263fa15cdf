internal import Commands
internal import Spelling

/// Words from outside for messages, left out where they may be a URL with a password that was given in the wrong place.
extension String {
    /// In quotes.
    var discreetlyQuoted: String { mayHoldPassword ? "a text that may hold a password and is not shown" : quoted }

    /// As the name of a file, a variable or a key.
    var discreetName: String { mayHoldPassword ? "(a name that may hold a password)" : printable(limit: 200) }

    var mayHoldPassword: Bool { utf8.contains(UInt8(ascii: "@")) || utf8.contains("://".utf8) }
}
