internal import COpenSSL

/// Cryptographic digests of bytes.
package enum Digest {
    /// Returns the 32 bytes of SHA-256.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        let digest = unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
            let isComputed = unsafe EVP_Digest(bytes, bytes.count, buffer.baseAddress, nil, DigestAlgorithm.sha256.pointer, nil) == 1
            count = isComputed ? Int(SHA256_DIGEST_LENGTH) : 0
        }
        precondition(!digest.isEmpty, "libcrypto cannot compute SHA-256")
        return digest
    }

    /// Returns the first twelve bytes of SHA-256 in hexadecimal, which identify the content.
    package static func tag(of bytes: [UInt8]) -> String {
        sha256(bytes).prefix(12).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// A digest algorithm of libcrypto that was found once. A search takes twice as long as the digest of a short text.
@safe private final class DigestAlgorithm: @unchecked Sendable {
    // Unchecked: an algorithm is never changed.
    let pointer: OpaquePointer

    static let sha256 = DigestAlgorithm("SHA256")

    private init(_ name: String) {
        // Null only if the configuration file of libcrypto disables the algorithm.
        guard let pointer = unsafe EVP_MD_fetch(nil, name, nil) else {
            preconditionFailure("libcrypto has no \(name): check its openssl.cnf")
        }
        unsafe self.pointer = pointer
    }
}

/// The SHA-256 digest of data that arrives in chunks.
@safe package final class IncrementalSHA256: @unchecked Sendable {
    // Unchecked: one thread adds the chunks, and `finish` is called after the last one.
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256: check its openssl.cnf")
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package func add(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { _ = unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// Returns the digest. Call it once.
    package func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            var size: UInt32 = 0
            _ = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, &size)
            count = Int(size)
        }
    }
}
