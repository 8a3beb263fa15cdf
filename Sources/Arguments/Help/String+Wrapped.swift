extension String {
    /// The words of this text in lines of at most `width` columns; a word that is wider has a line for itself and is never broken.
    ///
    /// - Parameters:
    ///   - width: Columns, margins included.
    ///   - first: What the first line opens with.
    ///   - rest: What every further line opens with.
    /// - Returns: At least one line.
    func wrapped(to width: Int, first: String = "", rest: String = "") -> [String] {
        var lines: [String] = []
        var line = first
        var column = first.count
        var isFresh = true
        for word in split(separator: " ") {
            let length = word.count
            if !isFresh, column + 1 + length > width {
                lines.append(line)
                (line, column, isFresh) = (rest, rest.count, true)
            }
            line += isFresh ? word : " " + word
            column += isFresh ? length : length + 1
            isFresh = false
        }
        return lines + [line]
    }
}
