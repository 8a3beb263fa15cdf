internal import COpenSSL

/// The TLS side of a socket, which reads and writes without blocking. Only one thread may use it at a time.
@safe package final class TLSSession {
    package enum Progress: Sendable, Equatable {
        case moved(Int)
        case needsInput
        case needsRoom
        /// The other side has closed the connection.
        case ended
        case failed
    }

    private let pointer: OpaquePointer
    /// Retained, because libssl's callbacks refer to it.
    private let context: TLSContext
    private var isDone = false
    private static let socketMethod = SocketMethod()

    /// Creates the server side on a nonblocking socket that outlives the session. Returns nil if memory is exhausted.
    package init?(_ context: TLSContext, socket: Int32) {
        guard let pointer = unsafe SSL_new(context.pointer) else { return nil }
        unsafe self.pointer = pointer
        self.context = context
        guard unsafe copenssl_set_socket(pointer, Self.socketMethod.pointer, socket) == 1 else { return nil }
        unsafe SSL_set_accept_state(pointer)
    }

    /// Creates the client side, which verifies that the server is `host`. Returns nil also if that is neither a name
    /// nor an address.
    package init?(_ context: TLSContext, connectingTo host: String, socket: Int32) {
        guard let pointer = unsafe SSL_new(context.pointer) else { return nil }
        unsafe self.pointer = pointer
        self.context = context
        guard unsafe copenssl_set_socket(pointer, Self.socketMethod.pointer, socket) == 1, unsafe copenssl_expect_host(pointer, host) == 1
        else { return nil }
        unsafe SSL_set_connect_state(pointer)
    }

    deinit { unsafe SSL_free(pointer) }

    /// The reason why the certificate of the other side is invalid. nil if it is valid or has not arrived.
    package var verificationFailure: String? {
        let code = unsafe SSL_get_verify_result(pointer)
        guard code != Int(X509_V_OK), let text = unsafe X509_verify_cert_error_string(code) else { return nil }
        return unsafe String(cString: text)
    }

    /// The protocol negotiated by ALPN. nil before the end of the handshake, or if the client offered none.
    package var applicationProtocol: String? {
        var start: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(pointer, &start, &count)
        guard let start = unsafe start, count > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// Whether bytes from the socket are buffered, possibly only a part of a record.
    package var hasBufferedInput: Bool { unsafe SSL_has_pending(pointer) == 1 }

    /// Keeps the buffers of up to 33 KB between two calls. Without this, each call allocates and frees them.
    package func keepBuffers() { unsafe copenssl_keep_buffers(pointer) }

    /// Ends `keepBuffers`. Frees the buffers immediately, or after the call that empties them.
    package func releaseBuffers() { unsafe copenssl_release_buffers(pointer) }

    /// Continues the handshake. Returns `moved` when it is complete.
    package func handshake() -> Progress {
        copenssl_clear_errors()
        let status = unsafe SSL_do_handshake(pointer)
        return status == 1 ? .moved(0) : progress(after: status)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Progress {
        copenssl_clear_errors()
        var count = 0
        let status = unsafe SSL_read_ex(pointer, buffer.baseAddress, buffer.count, &count)
        return status == 1 ? .moved(count) : progress(after: status)
    }

    /// Writes bytes. If it needs input or room, call it again with the same bytes, optionally followed by more.
    ///
    /// If another write follows immediately, the kernel may send both together.
    package func write(_ bytes: UnsafeRawBufferPointer, isFollowed: Bool = false) -> Progress {
        copenssl_clear_errors()
        var count = 0
        if isFollowed { unsafe copenssl_announce_more(pointer, 1) }
        let status = unsafe SSL_write_ex(pointer, bytes.baseAddress, bytes.count, &count)
        if isFollowed { unsafe copenssl_announce_more(pointer, 0) }
        return status == 1 ? .moved(count) : progress(after: status)
    }

    /// Sends a closure alert without waiting for the other side's.
    package func finish() {
        guard !isDone else { return }
        isDone = true
        copenssl_clear_errors()
        _ = unsafe SSL_shutdown(pointer)
    }

    private func progress(after status: Int32) -> Progress {
        switch unsafe SSL_get_error(pointer, status) {
        case SSL_ERROR_WANT_READ: return .needsInput
        case SSL_ERROR_WANT_WRITE: return .needsRoom
        case SSL_ERROR_ZERO_RETURN: return .ended
        default:
            // After these errors, libssl must not send a closure alert.
            isDone = true
            return .failed
        }
    }
}

/// The functions of the BIO for sockets. All sessions share them, and they are never freed.
@safe private final class SocketMethod: Sendable {
    /// The functions, which libssl allocates; nil if memory is exhausted. libssl only reads what it points to.
    nonisolated(unsafe) let pointer: OpaquePointer?

    init() { unsafe pointer = copenssl_socket_method() }
}
