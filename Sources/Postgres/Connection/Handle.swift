internal import CPostgres

/// A libpq connection, closed when its last reference is released.
@safe final class Handle {
    let pointer: OpaquePointer
    let warnings = CommitWarnings()

    /// Starts to connect without blocking. Returns nil if memory is exhausted.
    init?(connectingWith parameters: [(name: String, value: String)]) {
        var names: [UnsafePointer<CChar>?] = unsafe []
        var values: [UnsafePointer<CChar>?] = unsafe []
        let texts = parameters.flatMap { [Array($0.name.utf8CString), Array($0.value.utf8CString)] }
        let storage = UnsafeMutableBufferPointer<CChar>.allocate(capacity: texts.reduce(0) { $0 + $1.count })
        defer { unsafe storage.deallocate() }
        var position = 0
        for (index, text) in texts.enumerated() {
            _ = unsafe storage[position...].update(fromContentsOf: text)
            let start = unsafe UnsafePointer(storage.baseAddress.map { unsafe $0 + position })
            if index.isMultiple(of: 2) { unsafe names.append(start) } else { unsafe values.append(start) }
            position += text.count
        }
        unsafe names.append(nil)
        unsafe values.append(nil)
        guard let pointer = unsafe PQconnectStartParams(names, values, 0) else { return nil }
        unsafe self.pointer = pointer
        // Includes the SQLSTATE in the error text, because libpq reports it in no other way while it connects.
        unsafe PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        // Unretained: the handle keeps the warnings alive for as long as libpq can call.
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

    /// The first line of libpq's last error message.
    var message: String {
        guard let text = unsafe PQerrorMessage(pointer) else { return "" }
        return unsafe String(cString: text).split(separator: "\n").first.map(String.init) ?? "the connection was lost"
    }
}

/// The warnings of the current call that can make the durability of its commit uncertain.
///
/// If a commit is canceled while it waits for a synchronous standby, the server reports it as done. Only a warning says
/// that the standby may not have it.
final class CommitWarnings {
    /// The first warning of class 01, from any cause.
    private(set) var first: String?
    /// The first warning that the server raised while it waited for a standby.
    private(set) var ofReplication: String?

    func clear() {
        first = nil
        ofReplication = nil
    }

    /// Records a notice, which libpq frees after the callback.
    func note(_ notice: OpaquePointer?) {
        func field(_ code: some BinaryInteger) -> String? {
            unsafe PQresultErrorField(notice, Int32(code)).map { unsafe String(cString: $0) }
        }
        guard field(CPOSTGRES_SEVERITY) == "WARNING", let state = field(CPOSTGRES_SQLSTATE), state.hasPrefix("01") else { return }
        let message = field(CPOSTGRES_MESSAGE) ?? "warning \(state)"
        first = first ?? message
        // Compares the function name, because the message may be translated and all warnings share this SQLSTATE.
        if field(CPOSTGRES_SOURCE_FUNCTION) == "SyncRepWaitForLSN" { ofReplication = ofReplication ?? message }
    }
}
