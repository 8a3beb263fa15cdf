extension PostgresResult {
    /// Reads every row as a tuple, or the value itself where there is one column.
    package func rows<each Column: PostgresDecodable>(
        as columns: repeat (each Column).Type
    ) throws(PostgresError) -> [(repeat each Column)] {
        var rows: [(repeat each Column)] = []
        rows.reserveCapacity(rowCount)
        for row in 0..<rowCount { rows.append(try decode(row: row, as: repeat each columns)) }
        return rows
    }

    func decode<each Column: PostgresDecodable>(
        row: Int, as columns: repeat (each Column).Type
    ) throws(PostgresError) -> (repeat each Column) {
        var expected = 0
        for _ in repeat each columns { expected += 1 }
        guard expected == columnCount else {
            throw PostgresError(.undecodable, "the rows have \(columnCount) columns and not \(expected)", query: query)
        }
        var column = 0
        return (repeat try cell(row, &column, each columns))
    }

    private func cell<Value: PostgresDecodable>(_ row: Int, _ column: inout Int, _ type: Value.Type) throws(PostgresError) -> Value {
        defer { column += 1 }
        do throws(DecodingFailure) {
            return try decode(row: row, column: column, as: type)
        } catch {
            let name = columnName(column)
            var report = PostgresError(.undecodable, "column \(name): \(error.explanation)", query: query)
            report.column = name
            throw report
        }
    }
}

extension DecodingFailure {
    fileprivate var explanation: String {
        switch reason {
        case .wrongType: "expected \(expected), found \(found)"
        case .malformed: "the bytes are no \(found)"
        case .outOfRange: "a value of \(found) that \(expected) has no room for here"
        case .null: "expected \(expected), found NULL of \(found)"
        }
    }
}
