internal import CPostgres

@safe package final class PostgresResult: @unchecked Sendable {
    // Unchecked: libpq only reads a result once it is made, and every pointer into it stays within this file.
    package let query: String
    private let pointer: OpaquePointer

    init(owning pointer: OpaquePointer, query: String) {
        unsafe self.pointer = pointer
        self.query = query
    }

    deinit { unsafe PQclear(pointer) }

    package var rowCount: Int { Int(unsafe PQntuples(pointer)) }

    package var columnCount: Int { Int(unsafe PQnfields(pointer)) }

    /// The rows that the statement wrote or returned.
    package var affectedRows: Int { unsafe PQcmdTuples(pointer).flatMap { unsafe Int(String(cString: $0)) } ?? 0 }

    /// The command as the server calls it, such as `COMMIT` or `INSERT 0 1`.
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

    /// Reads a cell that exists.
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

    /// Apart, as the type of its optional is looked up by name at run time.
    @inline(never)
    private static func null<Value: PostgresDecodable>(of type: PostgresType) throws(DecodingFailure) -> Value {
        guard let null = Value.valueOfNull else { throw Value.failure(.null, type) }
        return null
    }

    var failure: PostgresError {
        let state = field(CPOSTGRES_SQLSTATE).map { SQLState(rawValue: $0) }
        let message = unsafe field(CPOSTGRES_MESSAGE) ?? PQresultErrorMessage(pointer).map { unsafe String(cString: $0) } ?? ""
        // Without a SQLSTATE it is libpq that speaks, of a connection that is gone.
        guard let state else {
            return PostgresError(.connectionLost, message.split(separator: "\n").first.map(String.init) ?? "", query: query)
        }
        // The function's name, as the SQLSTATE is that of every missing feature and the message may be translated.
        let isStale = state.rawValue == "26000" || field(CPOSTGRES_SOURCE_FUNCTION) == "RevalidateCachedQuery"
        var error = PostgresError(
            isStale ? .staleStatement : .refused, ValueRedactor.message(message, state), query: query, sqlState: state)
        error.detail = field(CPOSTGRES_DETAIL).flatMap { ValueRedactor.detail($0, state) }
        error.constraint = field(CPOSTGRES_CONSTRAINT)
        error.table = field(CPOSTGRES_TABLE)
        error.column = field(CPOSTGRES_COLUMN)
        return error
    }

    /// The character of the SQL, from 1, at which the server points, if it does.
    var failurePosition: Int? { field(CPOSTGRES_POSITION).flatMap { Int($0) } }

    private func field(_ code: some BinaryInteger) -> String? {
        unsafe PQresultErrorField(pointer, Int32(code)).map { unsafe String(cString: $0) }
    }
}

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
