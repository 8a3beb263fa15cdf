internal import COpenSSL

/// A secret key with which this program authenticates values that it issued.
package struct HMACKey: Sendable {
    private let bytes: [UInt8]

    /// Returns nil if there are fewer than 32 bytes, which would be too little randomness.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 32 else { return nil }
        self.init(unchecked: bytes)
    }

    /// Returns a random key, which exists only in this process.
    package static func random() -> HMACKey {
        var generator = SystemRandomNumberGenerator()
        return HMACKey(unchecked: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the 32 bytes of HMAC-SHA-256.
    package func code(of message: [UInt8]) -> [UInt8] {
        let code = unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
            // Null only if the configuration file of libcrypto disables SHA-256.
            let isMade =
                unsafe HMAC(EVP_sha256(), bytes, Int32(clamping: bytes.count), message, message.count, buffer.baseAddress, nil) != nil
            if isMade { count = Int(SHA256_DIGEST_LENGTH) }
        }
        precondition(!code.isEmpty, "libcrypto has no SHA-256: check its openssl.cnf")
        return code
    }

    /// Compares two codes in constant time, so that they cannot be guessed byte by byte.
    package static func areEqual(_ code: [UInt8], _ other: [UInt8]) -> Bool {
        unsafe code.count == other.count && CRYPTO_memcmp(code, other, code.count) == 0
    }
}
