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
