internal import COpenSSL

/// SHA-256 of what comes piece by piece.
@safe package final class IncrementalSHA256: @unchecked Sendable {
    // Unchecked: one thread adds, and whoever finishes does so behind the last piece.
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256: look at its openssl.cnf")
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package func add(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { _ = unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// To be called once.
    package func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            var size: UInt32 = 0
            _ = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, &size)
            count = Int(size)
        }
    }
}
