/// A token of SQL that is neither white space nor a comment.
struct SQLToken: Equatable {
    enum Kind: Equatable {
        /// A keyword or a name, in lowercase as the server folds it.
        case word(String)
        /// `"name"`, `'text'`, `E'text'`, `$tag$text$tag$`.
        case quoted
        case number
        /// `$n`. nil if n is not a number from 1 to 65535.
        case parameter(Int?)
        case symbol(String)
        /// A quotation or a comment without an end.
        case unfinished
    }

    let kind: Kind
    /// The line, from 1.
    let line: Int
    /// The range in bytes of the scanned text.
    let range: Range<Int>

    func isWord(_ words: String...) -> Bool {
        if case .word(let word) = kind { words.contains(word) } else { false }
    }

    func isSymbol(_ symbols: String...) -> Bool {
        if case .symbol(let symbol) = kind { symbols.contains(symbol) } else { false }
    }
}

extension ArraySlice<SQLToken> {
    /// The first `*` that selects columns. A product and the argument of an aggregate such as `count(*)` do not count.
    var firstStar: SQLToken? {
        for index in indices where self[index].isSymbol("*") {
            let before = index > startIndex ? self[index - 1] : nil
            let after = index + 1 < endIndex ? self[index + 1] : nil
            let isArgument = before?.isSymbol("(") ?? false && after?.isSymbol(")") ?? false
            let isProduct = before?.endsOperand ?? false && after?.startsOperand ?? false
            if !isArgument && !isProduct { return self[index] }
        }
        return nil
    }
}

extension SQLToken {
    fileprivate var endsOperand: Bool {
        switch kind {
        case .word: !isWord("select", "all", "distinct", "returning")
        case .symbol: isSymbol(")", "]")
        case .quoted, .number, .parameter: true
        case .unfinished: false
        }
    }

    fileprivate var startsOperand: Bool {
        switch kind {
        case .word: !isWord("from", "into", "where", "union", "except", "intersect", "order", "limit", "group")
        case .symbol: isSymbol("(", "+", "-", "@")
        case .quoted, .number, .parameter: true
        case .unfinished: false
        }
    }
}
