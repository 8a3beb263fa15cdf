package import Values

/// The rows of a result whose cells are read one by one, for queries with many rows.
///
/// Generic code builds and copies each tuple of `rows(as:)`, which takes 0.7 µs per column. The cells of the types named here have
/// code of their own.
package struct PostgresRows: RandomAccessCollection, Sendable {
    /// A row, which is a position in the result.
    package struct Row: Sendable {
        fileprivate let result: PostgresResult
        fileprivate let index: Int
    }

    private let result: PostgresResult
    package let endIndex: Int

    fileprivate init(_ result: PostgresResult) {
        self.result = result
        endIndex = result.rowCount
    }

    package var startIndex: Int { 0 }

    package subscript(index: Int) -> Row {
        precondition(indices.contains(index), "the row does not exist")
        return Row(result: result, index: index)
    }
}

extension PostgresResult {
    /// Returns the rows. Throws if they do not have that many columns.
    package func rows(ofColumns count: Int) throws(PostgresError) -> PostgresRows {
        try checkColumns(count)
        return PostgresRows(self)
    }
}

extension PostgresRows.Row {
    /// The name of the query.
    package var query: String { result.query }

    /// Returns the value of a column of any type.
    package func value<Value: PostgresDecodable>(at column: Int, as type: Value.Type = Value.self) throws(PostgresError) -> Value {
        precondition(column < result.columnCount, "the column does not exist")
        return try result.cell(index, column, type)
    }

    /// Returns an integer. Throws if it is NULL, like each value that is not optional.
    package func integer(at column: Int) throws(PostgresError) -> Int { try value(at: column) }

    package func text(at column: Int) throws(PostgresError) -> String { try value(at: column) }

    package func uuid(at column: Int) throws(PostgresError) -> UUID { try value(at: column) }

    /// Returns the text of a `json` or `jsonb`.
    package func json(at column: Int) throws(PostgresError) -> [UInt8] { try value(at: column, as: JSONBytes.self).bytes }

    /// Returns an integer, or nil if it is NULL.
    package func optionalInteger(at column: Int) throws(PostgresError) -> Int? { try value(at: column) }

    /// Returns a text, or nil if it is NULL.
    package func optionalText(at column: Int) throws(PostgresError) -> String? { try value(at: column) }

    /// Returns an ID, or nil if it is NULL.
    package func optionalUUID(at column: Int) throws(PostgresError) -> UUID? { try value(at: column) }

    /// Returns integers, or nil if the array is NULL.
    package func optionalIntegers(at column: Int) throws(PostgresError) -> [Int]? { try value(at: column) }

    /// Returns texts, or nil if the array is NULL.
    package func optionalTexts(at column: Int) throws(PostgresError) -> [String]? { try value(at: column) }

    /// Returns a date, or nil if it is NULL.
    package func optionalDay(at column: Int) throws(PostgresError) -> CalendarDay? { try value(at: column) }

    /// Returns the text of a `json` or `jsonb`, or nil if it is NULL.
    package func optionalJSON(at column: Int) throws(PostgresError) -> [UInt8]? { try value(at: column, as: JSONBytes?.self)?.bytes }
}
