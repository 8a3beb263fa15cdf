internal import CPostgres

/// A connection of libpq, closed with its last reference.
@safe final class Handle {
    let pointer: OpaquePointer
    let warnings = CommitWarnings()

    /// Begins to connect, which waits for nothing; nil where there is no memory.
    init?(connectingWith parameters: [(name: String, value: String)]) {
        var names: [UnsafePointer<CChar>?] = unsafe []
        var values: [UnsafePointer<CChar>?] = unsafe []
        let texts = parameters.flatMap { [Array($0.name.utf8CString), Array($0.value.utf8CString)] }
        let storage = UnsafeMutableBufferPointer<CChar>.allocate(capacity: texts.reduce(0) { $0 + $1.count })
        defer { unsafe storage.deallocate() }
        var place = 0
        for (index, text) in texts.enumerated() {
            _ = unsafe storage[place...].update(fromContentsOf: text)
            let start = unsafe UnsafePointer(storage.baseAddress.map { unsafe $0 + place })
            if index.isMultiple(of: 2) { unsafe names.append(start) } else { unsafe values.append(start) }
            place += text.count
        }
        unsafe names.append(nil)
        unsafe values.append(nil)
        guard let pointer = unsafe PQconnectStartParams(names, values, 0) else { return nil }
        unsafe self.pointer = pointer
        // With the SQLSTATE in the text of a refusal, which libpq tells in no other way while it connects.
        unsafe PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        // Unretained: the handle keeps the warnings for as long as libpq may call.
        unsafe PQsetNoticeReceiver(
            pointer,
            { context, notice in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<CommitWarnings>.fromOpaque(context).takeUnretainedValue().note(notice)
            }, Unmanaged.passUnretained(warnings).toOpaque())
    }

    deinit { unsafe PQfinish(pointer) }

    var socket: Int32 { unsafe PQsocket(pointer) }

    var isBroken: Bool { unsafe PQstatus(pointer) == CONNECTION_BAD }

    /// What libpq says of its last failure, in one line.
    var message: String {
        guard let text = unsafe PQerrorMessage(pointer) else { return "" }
        return unsafe String(cString: text).split(separator: "\n").first.map(String.init) ?? "the connection was lost"
    }
}
