internal import CPostgres

extension PostgresConnection {
    /// Puts a query in libpq's buffer, with its preparation where it is new; answers how many answers will come.
    func send(_ query: PostgresQuery, _ handle: Handle) throws(PostgresError) -> Int {
        let choice = statements.choose(for: query)
        let types = query.parameters.map(\.type.rawValue)
        let count = Int32(types.count)
        if case .new(let name) = choice {
            guard unsafe PQsendPrepare(handle.pointer, name, query.sql, count, types) == 1 else { throw lost(handle, query.name) }
        }
        let lengths = query.parameters.map { Int32(truncatingIfNeeded: $0.bytes?.count ?? 0) }
        let formats = query.parameters.map { Int32($0.isBinary ? 1 : 0) }
        let isSent = unsafe query.withValues { values in
            switch choice {
            case .prepared(let name), .new(let name):
                unsafe PQsendQueryPrepared(handle.pointer, name, count, values, lengths, formats, 1) == 1
            case .unnamed: unsafe PQsendQueryParams(handle.pointer, query.sql, count, types, values, lengths, formats, 1) == 1
            }
        }
        guard isSent else { throw lost(handle, query.name) }
        if case .new = choice { return 2 }
        return 1
    }
}

extension PostgresQuery {
    /// Lends the values as libpq wants them: one pointer each, null for NULL.
    fileprivate func withValues(_ body: ([UnsafePointer<CChar>?]) -> Bool) -> Bool {
        let storage = UnsafeMutableBufferPointer<CChar>.allocate(capacity: parameters.reduce(1) { $0 + ($1.bytes?.count ?? 0) })
        defer { unsafe storage.deallocate() }
        guard let start = storage.baseAddress else { return false }
        var place = 0
        var values: [UnsafePointer<CChar>?] = unsafe []
        unsafe values.reserveCapacity(parameters.count)
        for parameter in parameters {
            guard let bytes = parameter.bytes else {
                unsafe values.append(nil)
                continue
            }
            unsafe values.append(UnsafePointer(start + place))
            for byte in bytes {
                unsafe storage[place] = CChar(bitPattern: byte)
                place += 1
            }
        }
        return unsafe body(values)
    }
}
