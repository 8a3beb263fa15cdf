/// A statement with a name, for errors and the server's plan, and the values of its parameters.
package final class PostgresQuery: Sendable {
    package let name: String
    package let sql: String
    /// Whether the connection keeps its plan; for statements that are run once it does not.
    package let isPrepared: Bool
    let parameters: ParameterList

    /// `sql` names the parameters `$1`, `$2` and so on.
    package init<each Value: PostgresEncodable>(_ name: String, _ sql: String, _ values: repeat each Value, isPrepared: Bool = true) {
        var parameters = ParameterList()
        repeat parameters.append(each values)
        self.name = name
        self.sql = sql
        self.parameters = parameters
        self.isPrepared = isPrepared
    }

    func validate() throws(PostgresError) {
        guard parameters.count <= 65_535 else {
            throw PostgresError(.invalidParameter, "\(parameters.count) parameters are more than a statement takes", query: name)
        }
        guard let place = parameters.firstWithZero else { return }
        throw PostgresError(.invalidParameter, "parameter $\(place + 1) holds U+0000", query: name)
    }
}
