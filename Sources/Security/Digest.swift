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
