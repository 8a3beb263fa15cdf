import Values

extension String {
    /// This word in quotes for a message: at most 60 scalars of it, nothing in it that a terminal would obey, and nothing of what may hold a
    /// password, as messages end in logs.
    package var quoted: String { mayHoldPassword ? "(a text that may hold a password)" : "'\(printable(limit: 60))'" }

    /// Whether both have the same bytes, which costs no normalization of hostile Unicode.
    func isSpelled(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
