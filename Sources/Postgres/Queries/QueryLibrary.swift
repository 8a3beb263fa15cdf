/// The named queries of all files, each known to be one statement with its parameters counted.
package struct QueryLibrary: Sendable {
    private var queriesByName: [QueryName: NamedQuery] = [:]

    /// Throws all mistakes of all files at once.
    package init(_ files: [(name: String, bytes: [UInt8])]) throws(QueryFileError) {
        var mistakes: [QueryIssue] = []
        for file in files {
            var parser = QueryFileParser(file.name)
            for query in parser.parse(file.bytes) {
                if queriesByName.updateValue(query.query, forKey: query.query.name) != nil {
                    parser.mistakes.append(QueryIssue(file: file.name, line: query.line, code: .duplicateName(query.query.name)))
                }
            }
            mistakes += parser.mistakes.sorted { $0.line < $1.line }
        }
        if !mistakes.isEmpty { throw QueryFileError(mistakes: mistakes) }
    }

    package func query(_ name: String) -> NamedQuery? { QueryName(name).flatMap { queriesByName[$0] } }

    /// In the order of their names, for a test that prepares each.
    package var queries: [NamedQuery] { queriesByName.values.sorted { $0.name.description < $1.name.description } }
}
