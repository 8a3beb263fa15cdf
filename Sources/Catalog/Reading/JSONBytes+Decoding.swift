internal import Items
package import JSON
package import Postgres
internal import Values

extension Item {
    /// Decodes columns that `query` selected. An unreadable document is an error of the program.
    init(version: Int, _ document: JSONBytes, query: String) throws(PostgresError) {
        do throws(JSONError) {
            try self.init(version: version, document: document.bytes)
        } catch {
            throw error.undecodable(query)
        }
    }
}

extension JSONError {
    fileprivate func undecodable(_ query: String) -> PostgresError {
        PostgresError(.undecodable, "a document cannot be decoded: \(issues.map(\.message))", query: query)
    }
}

extension JSONBytes {
    func localized(query: String) throws(PostgresError) -> [LocaleTag: String] {
        let texts: [String: String] = try decoded(query: query)
        return Dictionary(texts.compactMap { key, text in LocaleTag(key).map { ($0, text) } }, uniquingKeysWith: { first, _ in first })
    }

    /// Decodes a column that `query` selected. An unreadable document is an error of the program.
    package func decoded<Value: JSONDecodable>(query: String) throws(PostgresError) -> Value {
        do throws(JSONError) {
            return try Value(parsing: bytes, limits: .ownOutput)
        } catch {
            throw error.undecodable(query)
        }
    }
}
