internal import JSON
internal import Postgres

extension Item {
    /// Of a column that `query` made. One that cannot be read is the program's mistake.
    init(document: JSONBytes, query: String) throws(PostgresError) { self = try document.decoded(query: query) }
}

extension JSONBytes {
    func localized(query: String) throws(PostgresError) -> [LocaleTag: String] {
        let texts: [String: String] = try decoded(query: query)
        return Dictionary(texts.compactMap { key, text in LocaleTag(key).map { ($0, text) } }, uniquingKeysWith: { first, _ in first })
    }

    fileprivate func decoded<Value: JSONDecodable>(query: String) throws(PostgresError) -> Value {
        do throws(JSONError) {
            return try Value(parsing: bytes, limits: .ownOutput)
        } catch {
            throw PostgresError(.undecodable, "a document is not what is read: \(error.mistakes.map(\.message))", query: query)
        }
    }
}
