struct StatementCache {
    /// The identity of a prepared statement. Only the name is hashed.
    private struct Key: Hashable {
        let name: String
        let sql: String
        let types: [UInt32]

        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// The name of a statement in the format of libpq.
    typealias Name = [CChar]

    enum Choice: Equatable {
        case prepared(Name)
        /// The query must be prepared under this name.
        case new(Name)
        case unnamed
    }

    /// The maximum number of statements, for queries whose text varies. Queries beyond it are planned every time.
    private let capacity: Int
    private var names: [Key: Name] = [:]
    /// The statements sent for preparation and not yet confirmed, in order.
    private var unconfirmed: [Key] = []
    private var count = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Returns how to run a query. A new statement counts as prepared until `dropUnconfirmed` removes it.
    mutating func choose(for query: PostgresQuery) -> Choice {
        let key = key(query)
        if let name = names[key] { return .prepared(name) }
        guard query.isPrepared, names.count < capacity else { return .unnamed }
        count += 1
        let name = Name("s\(count)".utf8CString)
        names[key] = name
        unconfirmed.append(key)
        return .new(name)
    }

    mutating func confirmNext() {
        if !unconfirmed.isEmpty { unconfirmed.removeFirst() }
    }

    /// Removes the statements that failed to be prepared or followed a failure, after which the server skips them.
    mutating func dropUnconfirmed() {
        for key in unconfirmed { names[key] = nil }
        unconfirmed = []
    }

    /// Removes a query, so that it is prepared again under another name.
    mutating func forget(_ query: PostgresQuery) { names[key(query)] = nil }

    private func key(_ query: PostgresQuery) -> Key {
        Key(name: query.name, sql: query.sql, types: query.parameters.types)
    }
}
