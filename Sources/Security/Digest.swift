internal import COpenSSL

/// Short, fixed-size stand-ins for bytes, which nobody can find other bytes for.
package enum Digest {
    /// The 32 bytes of SHA-256.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        let digest = unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
            // Null only where libcrypto was set up by its configuration file to offer no SHA-256.
            if unsafe SHA256(bytes, bytes.count, buffer.baseAddress) != nil { count = Int(SHA256_DIGEST_LENGTH) }
        }
        precondition(!digest.isEmpty, "libcrypto has no SHA-256: look at its openssl.cnf")
        return digest
    }

    /// The first twelve bytes of it in hexadecimal, which tell one content from another.
    package static func tag(of bytes: [UInt8]) -> String {
        sha256(bytes).prefix(12).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

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
