internal import CPostgres

@safe package final class PostgresResult: @unchecked Sendable {
    // Unchecked: libpq only reads a finished result, and no pointer into it leaves this file.
    package let query: String
    private let pointer: OpaquePointer

    init(owning pointer: OpaquePointer, query: String) {
        unsafe self.pointer = pointer
        self.query = query
    }

    deinit { unsafe PQclear(pointer) }

    package var rowCount: Int { Int(unsafe PQntuples(pointer)) }

    package var columnCount: Int { Int(unsafe PQnfields(pointer)) }

    /// The number of rows that the statement wrote or returned.
    package var affectedRows: Int { unsafe PQcmdTuples(pointer).flatMap { unsafe Int(String(cString: $0)) } ?? 0 }

    /// The command tag of the server, such as `COMMIT` or `INSERT 0 1`.
    package var command: String { unsafe PQcmdStatus(pointer).map { unsafe String(cString: $0) } ?? "" }

    var status: ExecStatusType { unsafe PQresultStatus(pointer) }

    func columnName(_ column: Int) -> String {
        unsafe PQfname(pointer, Int32(column)).map { unsafe String(cString: $0) } ?? "\(column + 1)"
    }

    var statement: StatementDescription {
        StatementDescription(
            parameters: (0..<(unsafe PQnparams(pointer))).map { unsafe PostgresType(rawValue: PQparamtype(pointer, $0)) },
            columns: (0..<columnCount).map { column in
                let type = unsafe PostgresType(rawValue: PQftype(pointer, Int32(truncatingIfNeeded: column)))
                return StatementDescription.Column(name: columnName(column), type: type)
            })
    }

    /// Returns the value of an existing cell.
    func decode<Value: PostgresDecodable>(row: Int, column: Int, as: Value.Type) throws(DecodingFailure) -> Value {
        let row = Int32(truncatingIfNeeded: row)
        let column = Int32(truncatingIfNeeded: column)
        let type = unsafe PostgresType(rawValue: PQftype(pointer, column))
        guard unsafe PQgetisnull(pointer, row, column) == 0, let start = unsafe PQgetvalue(pointer, row, column) else {
            return try Self.null(of: type)
        }
        let count = Int(unsafe PQgetlength(pointer, row, column))
        let cell = unsafe UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self)
        return try unsafe Value(bytes: cell.span, of: type)
    }

    /// Returns the value for NULL. It is a separate function, because the type of its optional is looked up by name at
    /// run time.
    @inline(never)
    private static func null<Value: PostgresDecodable>(of type: PostgresType) throws(DecodingFailure) -> Value {
        guard let null = Value.valueOfNull else { throw Value.failure(.null, type) }
        return null
    }

    var failure: PostgresError {
        let state = field(CPOSTGRES_SQLSTATE).map { SQLState(rawValue: $0) }
        let message = unsafe field(CPOSTGRES_MESSAGE) ?? PQresultErrorMessage(pointer).map { unsafe String(cString: $0) } ?? ""
        // An error without a SQLSTATE comes from libpq and means a lost connection.
        guard let state else {
            return PostgresError(.connectionLost, message.split(separator: "\n").first.map(String.init) ?? "", query: query)
        }
        // Compares the function name, because every missing feature shares this SQLSTATE and the message may be
        // translated.
        let isStale = state.rawValue == "26000" || field(CPOSTGRES_SOURCE_FUNCTION) == "RevalidateCachedQuery"
        var error = PostgresError(
            isStale ? .staleStatement : .refused, ValueRedactor.message(message, state), query: query, sqlState: state)
        error.detail = field(CPOSTGRES_DETAIL).flatMap { ValueRedactor.detail($0, state) }
        error.constraint = field(CPOSTGRES_CONSTRAINT)
        error.table = field(CPOSTGRES_TABLE)
        error.column = field(CPOSTGRES_COLUMN)
        return error
    }

    /// The position of the error in the SQL in characters, from 1. nil if the server reports none.
    var failurePosition: Int? { field(CPOSTGRES_POSITION).flatMap { Int($0) } }

    private func field(_ code: some BinaryInteger) -> String? {
        unsafe PQresultErrorField(pointer, Int32(code)).map { unsafe String(cString: $0) }
    }
}

extension PostgresResult {
    /// Returns every row as a tuple, or as a value if there is one column.
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
        try checkColumns(expected)
        var column = 0
        return (repeat try cell(row, &column, each columns))
    }

    private func cell<Value: PostgresDecodable>(_ row: Int, _ column: inout Int, _ type: Value.Type) throws(PostgresError) -> Value {
        defer { column += 1 }
        return try cell(row, column, type)
    }

    func checkColumns(_ expected: Int) throws(PostgresError) {
        guard expected == columnCount else {
            throw PostgresError(.undecodable, "the rows have \(columnCount) columns, expected \(expected)", query: query)
        }
    }

    func cell<Value: PostgresDecodable>(_ row: Int, _ column: Int, _ type: Value.Type) throws(PostgresError) -> Value {
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
        case .malformed: "the bytes are not a valid \(found)"
        case .outOfRange: "the value of \(found) does not fit into \(expected)"
        case .null: "expected \(expected), found a NULL of \(found)"
        }
    }
}
