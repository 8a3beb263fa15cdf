struct QueryFileParser {
    private let file: String
    private let area: Substring
    var issues: [QueryIssue] = []

    /// Creates a parser for a file with this name in its folder, such as `catalog.sql`.
    init(_ file: String) {
        self.file = file
        area = file.hasSuffix(".sql") ? file.dropLast(4) : file[...]
    }

    /// Parses a file and returns the valid queries, each with the line of its name.
    mutating func parse(_ bytes: [UInt8]) -> [(query: NamedQuery, line: Int)] {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            note(.invalidText, 1)
            return []
        }
        var queries: [(query: NamedQuery, line: Int)] = []
        for section in sections(of: text) {
            let tokens = Array(SQLScanner(section.text, line: section.line))
            if let unfinished = tokens.first(where: { $0.kind == .unfinished }) {
                note(.unfinishedQuotation, unfinished.line)
            } else if let name = section.name {
                if let query = query(name, section, tokens) { queries.append((query, section.line)) }
            } else if section.isHead, let stray = tokens.first {
                note(.unnamedText, stray.line)
            }
        }
        return queries
    }

    private struct Section {
        var name: QueryName?
        var isHead: Bool
        /// The line of the name.
        var line: Int
        var text: String
        var replacement = Replacement()
    }

    /// A placeholder in the name and text of a query template, and the word that replaces it in one variant.
    private struct Replacement {
        var placeholder = ""
        var word = ""

        func apply(to text: Substring) -> String { String(placeholder.isEmpty ? text : text.replacing(placeholder, with: word)) }
    }

    /// Splits a file into sections. A line that begins with `-- name:` starts a new one in any context, even inside a
    /// quotation.
    private mutating func sections(of text: String) -> [Section] {
        var sections = [Section(isHead: true, line: 1, text: "")]
        var open = sections.indices
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let given = Self.name(in: line) {
                let (template, replacements) = Self.variants(of: given)
                open = sections.endIndex..<sections.endIndex + replacements.count
                for replacement in replacements {
                    let name = QueryName(replacement.apply(to: template))
                    if name == nil { note(.invalidName(String(given)), index + 1) }
                    if let name, name.area != area { note(.foreignArea(name), index + 1) }
                    sections.append(Section(name: name, isHead: false, line: index + 1, text: "\n", replacement: replacement))
                }
            } else {
                for position in open { sections[position].text += sections[position].replacement.apply(to: line) + "\n" }
            }
        }
        return sections
    }

    /// Returns one variant for each word of a name such as `catalog.by_title_$alphabet in und, ar`. `$alphabet` is
    /// replaced in the text as well, because it may occur where no parameter is allowed.
    private static func variants(of given: Substring) -> (template: Substring, [Replacement]) {
        guard let placeholder = given.firstIndex(of: "$"), let list = given[placeholder...].firstRange(of: " in ") else {
            return (given, [Replacement()])
        }
        let parts = given[list.upperBound...].replacing(" ", with: "").split(separator: ",", omittingEmptySubsequences: false)
        let name = String(given[placeholder..<list.lowerBound])
        return (given[..<list.lowerBound], parts.map { Replacement(placeholder: name, word: String($0)) })
    }

    private static func name(in line: Substring) -> Substring? {
        var rest = line.drop { $0 == " " || $0 == "\t" }
        guard rest.hasPrefix("--") else { return nil }
        rest = rest.dropFirst(2).drop { $0 == " " || $0 == "\t" }
        guard rest.hasPrefix("name:") else { return nil }
        rest = rest.dropFirst(5).drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return rest
    }

    private mutating func query(_ name: QueryName, _ section: Section, _ tokens: [SQLToken]) -> NamedQuery? {
        var statement = tokens[...]
        if statement.last?.isSymbol(";") ?? false { statement.removeLast() }
        guard !statement.isEmpty else { return note(.emptyQuery(name), section.line) }
        if let semicolon = statement.first(where: { $0.isSymbol(";") }) { return note(.severalStatements(name), semicolon.line) }
        if let star = statement.firstStar { return note(.star(name), star.line) }
        guard let parameters = parameters(of: name, statement, line: section.line) else { return nil }
        let range = (statement.first?.range.lowerBound ?? 0)..<(statement.last?.range.upperBound ?? 0)
        let text = String(decoding: Array(section.text.utf8)[range], as: UTF8.self)
        return NamedQuery(name: name, text: text, parameters: parameters)
    }

    private mutating func parameters(of name: QueryName, _ statement: ArraySlice<SQLToken>, line: Int) -> Int? {
        var numbers: Set<Int> = []
        for token in statement {
            guard case .parameter(let number) = token.kind else { continue }
            guard let number else { return note(.invalidParameter(name), token.line) }
            numbers.insert(number)
        }
        let highest = numbers.max() ?? 0
        if let missing = (1...max(highest, 1)).first(where: { $0 < highest && !numbers.contains($0) }) {
            return note(.missingParameter(name, missing), line)
        }
        return highest
    }

    private mutating func note<Absent>(_ code: QueryIssue.Code, _ line: Int) -> Absent? {
        issues.append(QueryIssue(file: file, line: line, code: code))
        return nil
    }

    private mutating func note(_ code: QueryIssue.Code, _ line: Int) {
        issues.append(QueryIssue(file: file, line: line, code: code))
    }
}
