/// A piece of SQL that means something: neither white space nor a comment.
struct SQLToken: Equatable {
    enum Kind: Equatable {
        /// A key word or a name, in lower case as the server folds it.
        case word(String)
        /// `"name"`, `'text'`, `E'text'`, `$tag$text$tag$`.
        case quoted
        case number
        /// `$n`; nil where n is no number from 1 to 65535.
        case parameter(Int?)
        case symbol(String)
        /// A quotation or a comment that has no end.
        case unfinished
    }

    let kind: Kind
    /// From 1.
    let line: Int
    /// In bytes of what is scanned.
    let range: Range<Int>

    func isWord(_ words: String...) -> Bool {
        if case .word(let word) = kind { words.contains(word) } else { false }
    }

    func isSymbol(_ symbols: String...) -> Bool {
        if case .symbol(let symbol) = kind { symbols.contains(symbol) } else { false }
    }
}

extension ArraySlice<SQLToken> {
    /// The first `*` that stands for columns: neither a product nor the whole argument of an aggregate, as in `count(*)`.
    var firstStar: SQLToken? {
        for index in indices where self[index].isSymbol("*") {
            let before = index > startIndex ? self[index - 1] : nil
            let after = index + 1 < endIndex ? self[index + 1] : nil
            let isArgument = before?.isSymbol("(") ?? false && after?.isSymbol(")") ?? false
            let isProduct = before?.endsOperand ?? false && after?.beginsOperand ?? false
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

    fileprivate var beginsOperand: Bool {
        switch kind {
        case .word: !isWord("from", "into", "where", "union", "except", "intersect", "order", "limit", "group")
        case .symbol: isSymbol("(", "+", "-", "@")
        case .quoted, .number, .parameter: true
        case .unfinished: false
        }
    }
}
