extension PostgresQuery {
    /// A query of `sql/queries` with the values of its parameters.
    package convenience init<each Value: PostgresEncodable>(_ query: NamedQuery, _ values: repeat each Value, isPrepared: Bool = true) {
        self.init(query.name.description, query.text, repeat each values, isPrepared: isPrepared)
    }
}
