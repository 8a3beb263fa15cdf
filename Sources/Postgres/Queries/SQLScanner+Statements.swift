extension SQLScanner {
    /// The line on which each statement begins. Semicolons between parentheses, as a rule may have them, end none.
    static func lines(ofStatementsIn sql: String) -> [Int] {
        var lines: [Int] = []
        var depth = 0
        var isBetween = true
        for token in SQLScanner(sql) {
            if token.isSymbol(";"), depth == 0 {
                isBetween = true
                continue
            }
            if token.isSymbol("(") { depth += 1 }
            if token.isSymbol(")") { depth -= 1 }
            if isBetween { lines.append(token.line) }
            isBetween = false
        }
        return lines
    }
}
