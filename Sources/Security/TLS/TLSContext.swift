internal import COpenSSL

/// The shared configuration of TLS connections: the certificate, key and protocols of a server, or the trusted
/// authorities of a client.
///
/// It supports TLS 1.2 and 1.3 with ciphers that are considered secure. Existing connections keep their context, so a
/// new certificate needs a new context and closes none of them.
@safe package final class TLSContext: @unchecked Sendable {
    // Unchecked: a context is not changed after it is created. libssl counts references and locks its sessions itself.
    let pointer: OpaquePointer
    private let protocols: ProtocolList

    /// Reads a certificate chain and its key from PEM files. The protocols are in order of preference.
    package init(certificate: String, key: String, protocols: [String]) throws(TLSError) {
        guard let pointer = unsafe SSL_CTX_new(TLS_server_method()) else { throw TLSError(file: nil, message: Self.reason()) }
        unsafe self.pointer = pointer
        self.protocols = ProtocolList(protocols)
        guard unsafe copenssl_require_tls12(pointer) == 1,
            unsafe SSL_CTX_set_cipher_list(pointer, "ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL:!eNULL") == 1,
            // The default of libssl includes groups that cost a server a hundred times as much, at any client's
            // request.
            unsafe copenssl_set_groups(pointer, "X25519:P-256:P-384") == 1
        else { throw TLSError(file: nil, message: Self.reason()) }
        unsafe copenssl_set_modes(pointer)
        unsafe copenssl_set_options(pointer)
        unsafe copenssl_cache_sessions(pointer)
        let id: [UInt8] = Array("vitrine".utf8)
        _ = unsafe SSL_CTX_set_session_id_context(pointer, id, UInt32(id.count))
        guard unsafe SSL_CTX_use_certificate_chain_file(pointer, certificate) == 1 else {
            throw TLSError(file: certificate, message: Self.reason())
        }
        guard unsafe SSL_CTX_use_PrivateKey_file(pointer, key, SSL_FILETYPE_PEM) == 1 else {
            throw TLSError(file: key, message: Self.reason())
        }
        guard unsafe SSL_CTX_check_private_key(pointer) == 1 else {
            throw TLSError(file: key, message: "the key does not match the certificate in \(certificate)")
        }
        unsafe SSL_CTX_set_alpn_select_cb(pointer, Self.select, Unmanaged.passUnretained(self.protocols).toOpaque())
    }

    /// Creates a client context for HTTP/1.1. The authorities come from a PEM file, or from the system if it is nil.
    package init(trusting authorities: String?) throws(TLSError) {
        guard let pointer = unsafe SSL_CTX_new(TLS_client_method()) else { throw TLSError(file: nil, message: Self.reason()) }
        unsafe self.pointer = pointer
        protocols = ProtocolList(["http/1.1"])
        guard unsafe copenssl_require_tls12(pointer) == 1,
            unsafe SSL_CTX_set_alpn_protos(pointer, protocols.bytes.baseAddress, UInt32(protocols.bytes.count)) == 0
        else { throw TLSError(file: nil, message: Self.reason()) }
        unsafe copenssl_set_modes(pointer)
        unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        guard let authorities else {
            guard unsafe SSL_CTX_set_default_verify_paths(pointer) == 1 else { throw TLSError(file: nil, message: Self.reason()) }
            return
        }
        guard unsafe SSL_CTX_load_verify_locations(pointer, authorities, nil) == 1 else {
            throw TLSError(file: authorities, message: Self.reason())
        }
    }

    deinit { unsafe SSL_CTX_free(pointer) }

    /// The protocols for ALPN in their wire format, in which each name follows its length.
    @safe private final class ProtocolList {
        let bytes: UnsafeMutableBufferPointer<UInt8>

        init(_ names: [String]) {
            let list = names.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) }
            unsafe bytes = .allocate(capacity: list.count)
            _ = unsafe bytes.initialize(from: list)
        }

        deinit { unsafe bytes.deallocate() }
    }

    private static let select: SSL_CTX_alpn_select_cb_func = { _, output, outputCount, offered, offeredCount, argument in
        guard let argument = unsafe argument, let output = unsafe output else { return SSL_TLSEXT_ERR_NOACK }
        let own = unsafe Unmanaged<ProtocolList>.fromOpaque(argument).takeUnretainedValue()
        var chosen: UnsafeMutablePointer<UInt8>?
        let status = unsafe SSL_select_next_proto(
            &chosen, outputCount, own.bytes.baseAddress, UInt32(own.bytes.count), offered, offeredCount)
        guard status == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        unsafe output.pointee = UnsafePointer(chosen)
        return SSL_TLSEXT_ERR_OK
    }

    /// Returns the reason of libssl's last error, without codes.
    private static func reason() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let text = unsafe ERR_reason_error_string(code) else { return "it cannot be read" }
        return unsafe String(cString: text)
    }
}

package struct TLSError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The invalid file. nil if the error concerns no file.
    package let file: String?
    package let message: String

    package var description: String { file.map { "\($0): \(message)" } ?? message }
}
