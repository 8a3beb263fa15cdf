import Spelling

extension String {
    /// This word in quotes for a message: at most 60 scalars of it, and nothing in it that a terminal would obey.
    package var quoted: String { "'\(printable(limit: 60))'" }

    /// Whether both have the same bytes, which costs no normalization of hostile Unicode.
    func isSpelled(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
