extension String {
    /// This word in quotes for a message: at most 60 scalars of it, and nothing in it that a terminal would obey.
    var quoted: String {
        let limit = 60
        var result = "'"
        var scalars = unicodeScalars.makeIterator()
        for _ in 0..<limit {
            guard let scalar = scalars.next() else { return result + "'" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                result.unicodeScalars.append(scalar)
            }
        }
        return scalars.next() == nil ? result + "'" : result + "…'"
    }

    /// Whether both have the same bytes, which costs no normalization of hostile Unicode.
    func isSpelled(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
