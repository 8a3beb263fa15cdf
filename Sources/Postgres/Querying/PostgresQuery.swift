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

    /// What the server takes in one message, with room for the rest of it: 1 GiB.
    static let largestMessage = 0x3FFF_0000

    func validate(largest: Int = largestMessage) throws(PostgresError) {
        guard parameters.count <= 65_535 else {
            throw PostgresError(.invalidParameter, "\(parameters.count) parameters are more than a statement takes", query: name)
        }
        guard parameters.size <= largest else {
            throw PostgresError(.invalidParameter, "\(parameters.size) bytes of parameters are more than a message takes", query: name)
        }
        guard !sql.utf8.contains(0) else {
            throw PostgresError(.misuse, "the statement holds U+0000, where libpq would end it", query: name)
        }
        guard let place = parameters.firstWithZero else { return }
        throw PostgresError(.invalidParameter, "parameter $\(place + 1) holds U+0000", query: name)
    }
}
