internal import Values

extension String {
    /// As the name of a file, a variable or a key, left out where it may be a URL with a password that was given in the wrong place.
    var discreetName: String { mayHoldPassword ? "(a name that may hold a password)" : printable(limit: 200) }
}
