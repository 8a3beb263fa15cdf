internal import Host
internal import SQLFiles

/// The named queries of all files, each verified to be one statement, with its parameters counted.
package struct QueryLibrary: Sendable {
    private var queriesByName: [QueryName: NamedQuery] = [:]

    private init() {}

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
        var library = QueryLibrary()
        for file in SQLFiles.queries { library.queriesByName.merge(queries(of: file.name).queriesByName) { $1 } }
        return library
    }()

    private static let libraries = Locked<[String: QueryLibrary]>([:])

    /// Returns the queries of a file, which is read at the first call. A command uses few of the files, and reading all of them takes
    /// longer than opening a connection.
    private static func queries(of file: String) -> QueryLibrary {
        if let library = libraries.withLock({ $0[file] }) { return library }
        do throws(QueryFileError) {
            let library = try QueryLibrary(SQLFiles.queries.filter { $0.name == file })
            libraries.withLock { $0[file] = library }
            return library
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Returns a query of `sql/queries`, whose file has the name of its area. Returns nil if it does not exist.
    fileprivate static func builtIn(_ name: String) -> NamedQuery? {
        QueryName(name).flatMap { queries(of: "\($0.area).sql").queriesByName[$0] }
    }
}

extension NamedQuery {
    /// Returns the query of `sql/queries` with this name. It exists, because a test compares the names in the sources
    /// with the files.
    package init(_ name: StaticString) {
        guard let query = QueryLibrary.builtIn(name.description) else { preconditionFailure("sql/queries has no query \(name)") }
        self = query
    }
}

package struct QueryFileError: Error, Sendable, Equatable, CustomStringConvertible {
    package let issues: [QueryIssue]

    package var description: String { issues.map(\.description).joined(separator: "\n") }
}
