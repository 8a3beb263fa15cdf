internal import SQLFiles

/// The named queries of all files, each verified to be one statement, with its parameters counted.
package struct QueryLibrary: Sendable {
    private var queriesByName: [QueryName: NamedQuery] = [:]

    /// Parses the files and throws the issues of all of them together.
    package init(_ files: [(name: String, bytes: [UInt8])]) throws(QueryFileError) {
        var issues: [QueryIssue] = []
        for file in files {
            var parser = QueryFileParser(file.name)
            for query in parser.parse(file.bytes) {
                if queriesByName.updateValue(query.query, forKey: query.query.name) != nil {
                    parser.issues.append(QueryIssue(file: file.name, line: query.line, code: .duplicateName(query.query.name)))
                }
            }
            issues += parser.issues.sorted { $0.line < $1.line }
        }
        if !issues.isEmpty { throw QueryFileError(issues: issues) }
    }

    package func query(_ name: String) -> NamedQuery? { QueryName(name).flatMap { queriesByName[$0] } }

    /// The queries in the order of their names, for a test that prepares each.
    package var queries: [NamedQuery] { queriesByName.values.sorted { $0.name.description < $1.name.description } }
}

extension QueryLibrary {
    /// The queries of `sql/queries` at build time.
    package static let builtIn: QueryLibrary = {
        do throws(QueryFileError) { return try QueryLibrary(SQLFiles.queries) } catch { preconditionFailure("\(error)") }
    }()
}

extension NamedQuery {
    /// Returns the query of `sql/queries` with this name. It exists, because a test compares the names in the sources
    /// with the files.
    package init(_ name: StaticString) {
        guard let query = QueryLibrary.builtIn.query(name.description) else { preconditionFailure("sql/queries has no query \(name)") }
        self = query
    }
}

package struct QueryFileError: Error, Sendable, Equatable, CustomStringConvertible {
    package let issues: [QueryIssue]

    package var description: String { issues.map(\.description).joined(separator: "\n") }
}
