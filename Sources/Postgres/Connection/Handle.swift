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

/// The warnings of the current call that bear on whether its commit lasts.
///
/// Canceled while it waits for a synchronous standby, a commit is reported as done, with nothing but a warning that no standby may have it.
final class CommitWarnings {
    /// The first warning of class 01, whatever raised it.
    private(set) var first: String?
    /// The first one that the server raised while it waited for a standby.
    private(set) var ofReplication: String?

    func clear() {
        first = nil
        ofReplication = nil
    }

    /// Notes a notice, which libpq frees afterwards.
    func note(_ notice: OpaquePointer?) {
        func field(_ code: some BinaryInteger) -> String? {
            unsafe PQresultErrorField(notice, Int32(code)).map { unsafe String(cString: $0) }
        }
        guard field(CPOSTGRES_SEVERITY) == "WARNING", let state = field(CPOSTGRES_SQLSTATE), state.hasPrefix("01") else { return }
        let message = field(CPOSTGRES_MESSAGE) ?? "warning \(state)"
        first = first ?? message
        // The function's name, as the message may be translated and the SQLSTATE is that of every warning.
        if field(CPOSTGRES_SOURCE_FUNCTION) == "SyncRepWaitForLSN" { ofReplication = ofReplication ?? message }
    }
}
