internal import COpenSSL

/// A secret by which this program recognises what it has handed out.
package struct HMACKey: Sendable {
    private let bytes: [UInt8]

    /// Nil with fewer bytes than what is random enough: 32.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 32 else { return nil }
        self.init(unchecked: bytes)
    }

    /// One that nobody can guess, and that ends with the process.
    package static func random() -> HMACKey {
        var generator = SystemRandomNumberGenerator()
        return HMACKey(unchecked: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// The 32 bytes of HMAC-SHA-256.
    package func code(of message: [UInt8]) -> [UInt8] {
        let code = unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
            // Null only where libcrypto was set up by its configuration file to offer no SHA-256.
            let isMade =
                unsafe HMAC(EVP_sha256(), bytes, Int32(clamping: bytes.count), message, message.count, buffer.baseAddress, nil) != nil
            if isMade { count = Int(SHA256_DIGEST_LENGTH) }
        }
        precondition(!code.isEmpty, "libcrypto has no SHA-256: look at its openssl.cnf")
        return code
    }

    /// Takes the same time wherever two codes of one length differ, so that none can be found out byte by byte.
    package static func areEqual(_ code: [UInt8], _ other: [UInt8]) -> Bool {
        unsafe code.count == other.count && CRYPTO_memcmp(code, other, code.count) == 0
    }
}
