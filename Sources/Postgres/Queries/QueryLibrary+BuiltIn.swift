internal import SQLFiles

extension QueryLibrary {
    /// The queries of `sql/queries`, as they were when the program was built.
    package static let builtIn: QueryLibrary = {
        do throws(QueryFileError) { return try QueryLibrary(SQLFiles.queries) } catch { preconditionFailure("\(error)") }
    }()
}

extension NamedQuery {
    /// The query of `sql/queries` with this name. It exists: a test compares the names in the sources with the files.
    package init(_ name: StaticString) {
        guard let query = QueryLibrary.builtIn.query(name.description) else { preconditionFailure("sql/queries has no query \(name)") }
        self = query
    }
}
