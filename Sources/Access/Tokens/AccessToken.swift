package import Telemetry
internal import Values

/// A credential for the admin API: `vtr_`, ten characters that identify it, and 256 random bits.
package struct AccessToken: Sendable {
    /// The base32 alphabet, so that every tool treats a prefix as one word.
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
    private static let mark = "vtr_"
    private static let prefixSize = 14
    private static let size = 58
    package static let randomSize = 42

    /// The part that identifies the token. It is not secret and may appear in lists and logs.
    package let prefix: String
    package let secret: Secret

    /// Creates a token from 42 cryptographically random bytes.
    package init(random bytes: [UInt8]) {
        precondition(bytes.count == Self.randomSize, "a token consists of \(Self.randomSize) random bytes")
        let name = String(decoding: bytes.prefix(10).map { Self.letters[Int($0 & 31)] }, as: UTF8.self)
        prefix = Self.mark + name
        secret = Secret("\(prefix)_\(Base64URL.encode(Array(bytes.dropFirst(10))))")
    }

    package static func new() -> AccessToken {
        var random = SystemRandomNumberGenerator()
        return AccessToken(random: (0..<randomSize).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// Returns nil if the text does not have the form of a token.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count == Self.size, text.hasPrefix(Self.mark) else { return nil }
        let name = bytes.dropFirst(Self.mark.utf8.count).prefix(10)
        let rest = bytes.dropFirst(Self.prefixSize)
        guard name.allSatisfy(Self.letters.contains), rest.first == UInt8(ascii: "_"),
            let random = Base64URL.decode(String(decoding: rest.dropFirst(), as: UTF8.self)), random.count == 32
        else { return nil }
        prefix = String(decoding: bytes.prefix(Self.prefixSize), as: UTF8.self)
        secret = Secret(text)
    }
}
