package import Telemetry
internal import Values

/// What a program proves with that it may do something: `vtr_`, ten characters by which it is found, and 256 random bits.
package struct AccessToken: Sendable {
    /// Those of base32, so that a prefix is one word everywhere.
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
    private static let mark = "vtr_"
    private static let prefixSize = 14
    private static let size = 58
    package static let randomSize = 42

    /// No secret: lists and logs may have it.
    package let prefix: String
    package let secret: Secret

    /// A new one, made of 42 bytes that nobody can guess.
    package init(random bytes: [UInt8]) {
        precondition(bytes.count == Self.randomSize, "a token is made of \(Self.randomSize) random bytes")
        let name = String(decoding: bytes.prefix(10).map { Self.letters[Int($0 & 31)] }, as: UTF8.self)
        prefix = Self.mark + name
        secret = Secret("\(prefix)_\(Base64URL.encode(Array(bytes.dropFirst(10))))")
    }

    package static func new() -> AccessToken {
        var random = SystemRandomNumberGenerator()
        return AccessToken(random: (0..<randomSize).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// Nil for what was never handed out, by its form.
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
