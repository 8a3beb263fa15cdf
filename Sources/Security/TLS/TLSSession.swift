internal import COpenSSL

/// The encrypted side of one socket, which it reads and writes without ever waiting; for one thread at a time.
@safe package final class TLSSession {
    package enum Progress: Sendable, Equatable {
        case moved(Int)
        case needsInput
        case needsRoom
        /// The other side has said goodbye, or is gone.
        case ended
        case failed
    }

    private let pointer: OpaquePointer
    /// Has what libssl's callbacks refer to.
    private let context: TLSContext
    private var isDone = false

    /// The server's side, on a socket that does not block and outlives the session; nil where there is no memory.
    package init?(_ context: TLSContext, socket: Int32) {
        guard let pointer = unsafe SSL_new(context.pointer) else { return nil }
        unsafe self.pointer = pointer
        self.context = context
        guard unsafe SSL_set_fd(pointer, socket) == 1 else { return nil }
        unsafe SSL_set_accept_state(pointer)
    }

    /// The client's side, which goes on only with a server that proves to be `host`; nil also where that is neither a name nor an address.
    package init?(_ context: TLSContext, connectingTo host: String, socket: Int32) {
        guard let pointer = unsafe SSL_new(context.pointer) else { return nil }
        unsafe self.pointer = pointer
        self.context = context
        guard unsafe SSL_set_fd(pointer, socket) == 1, unsafe copenssl_expect_host(pointer, host) == 1 else { return nil }
        unsafe SSL_set_connect_state(pointer)
    }

    deinit { unsafe SSL_free(pointer) }

    /// Why the certificate of the other side proves nothing; nil where it does, or has not come.
    package var verificationFailure: String? {
        let code = unsafe SSL_get_verify_result(pointer)
        guard code != Int(X509_V_OK), let text = unsafe X509_verify_cert_error_string(code) else { return nil }
        return unsafe String(cString: text)
    }

    /// What was agreed on by ALPN; nil before the handshake has ended and where the client offered nothing.
    package var applicationProtocol: String? {
        var start: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(pointer, &start, &count)
        guard let start = unsafe start, count > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// Whether something was taken from the socket that is not read, a part of a record perhaps.
    package var hasBufferedInput: Bool { unsafe SSL_has_pending(pointer) == 1 }

    /// Goes on with the handshake; `moved` once it has ended.
    package func handshake() -> Progress {
        ERR_clear_error()
        let status = unsafe SSL_do_handshake(pointer)
        return status == 1 ? .moved(0) : progress(after: status)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Progress {
        ERR_clear_error()
        var count = 0
        let status = unsafe SSL_read_ex(pointer, buffer.baseAddress, buffer.count, &count)
        return status == 1 ? .moved(count) : progress(after: status)
    }

    /// To be called again with the same bytes, and perhaps more behind them, where it needs something.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Progress {
        ERR_clear_error()
        var count = 0
        let status = unsafe SSL_write_ex(pointer, bytes.baseAddress, bytes.count, &count)
        return status == 1 ? .moved(count) : progress(after: status)
    }

    /// Says goodbye, without waiting for an answer.
    package func finish() {
        guard !isDone else { return }
        isDone = true
        ERR_clear_error()
        _ = unsafe SSL_shutdown(pointer)
    }

    private func progress(after status: Int32) -> Progress {
        switch unsafe SSL_get_error(pointer, status) {
        case SSL_ERROR_WANT_READ: return .needsInput
        case SSL_ERROR_WANT_WRITE: return .needsRoom
        case SSL_ERROR_ZERO_RETURN: return .ended
        default:
            // After these libssl must not be asked to say goodbye.
            isDone = true
            return .failed
        }
    }
}
