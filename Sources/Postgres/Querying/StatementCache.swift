struct StatementCache {
    /// What makes two queries the same statement; the name alone is hashed.
    private struct Key: Hashable {
        let name: String
        let sql: String
        let types: [UInt32]

        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// The name of a statement as libpq takes it.
    typealias Name = [CChar]

    enum Choice: Equatable {
        case prepared(Name)
        /// To be prepared under this name.
        case new(Name)
        case unnamed
    }

    /// A bound for queries whose text varies; those beyond it are planned each time.
    private let capacity: Int
    private var names: [Key: Name] = [:]
    /// Sent to be prepared and not yet answered, in order.
    private var unconfirmed: [Key] = []
    private var count = 0

    init(capacity: Int) { self.capacity = capacity }

    /// The name to run a query by; a new one counts as prepared from now on, until `dropUnconfirmed` finds that it was never answered for.
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

    /// Forgets those that failed to be prepared, or stood behind a failure: the server skips these.
    mutating func dropUnconfirmed() {
        for key in unconfirmed { names[key] = nil }
        unconfirmed = []
    }

    /// Lets a query be prepared anew, under another name.
    mutating func forget(_ query: PostgresQuery) { names[key(query)] = nil }

    private func key(_ query: PostgresQuery) -> Key {
        Key(name: query.name, sql: query.sql, types: query.parameters.types)
    }
}
