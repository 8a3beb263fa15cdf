package import Arguments
internal import HTTPMessages
package import Postgres
package import Telemetry
internal import Values

extension ValueFormat {
    /// Returns the same format with `auto` for nil: the program decides when it starts.
    func orAuto() -> ValueFormat<Value?> {
        var optional = ValueFormat<Value?>(
            placeholder,
            read: { text throws(InvalidValue) in
                guard text != "auto" else { return nil }
                do throws(InvalidValue) { return try read(text) } catch {
                    let isNear = error.suggestion == nil && text.nearest(among: ["auto"]) != nil
                    throw InvalidValue(expected: "auto or \(error.expectation)", suggestion: isNear ? "auto" : error.suggestion)
                }
            },
            write: { $0.map(write) ?? "auto" })
        optional.choices = choices.isEmpty ? [] : ["auto"] + choices
        return optional
    }

    /// Returns the same format for an optional setting. `absent` describes the behavior without a value.
    func orAbsent(_ absent: String) -> ValueFormat<Value?> {
        var optional = ValueFormat<Value?>(
            placeholder, read: { text throws(InvalidValue) in try read(text) }, write: { $0.map(write) ?? absent })
        optional.choices = choices
        optional.completion = completion
        return optional
    }
}

extension ValueFormat where Value == String {
    /// Returns the format of a path to a file or a directory. It rejects a URL, which may be misplaced and hold a
    /// password.
    static func path(_ placeholder: String, completedBy hint: CompletionHint) -> ValueFormat {
        ValueFormat(
            placeholder,
            read: { text throws(InvalidValue) in
                guard !text.utf8.contains(0), !text.utf8.contains("://".utf8) else { throw InvalidValue(expected: "a path") }
                return text
            },
            write: { $0.printable() }
        ).completed(by: hint)
    }
}

extension ValueFormat where Value == String {
    static var urlScheme: ValueFormat {
        ValueFormat(
            "SCHEME",
            read: { text throws(InvalidValue) in
                let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
                guard text.utf8.first.map(letters.contains) ?? false,
                    text.utf8.allSatisfy({ letters.contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) })
                else { throw InvalidValue(expected: "a URL scheme in lowercase, such as https") }
                return text
            },
            write: { $0.printable() })
    }
}

extension ValueFormat where Value == DatabaseURL {
    /// The format of a database URL, written without its password.
    package static var databaseURL: ValueFormat<DatabaseURL> {
        ValueFormat("URL", read: { text throws(InvalidValue) in try DatabaseURL(parsing: text) }, write: \.redacted)
    }
}

extension ValueFormat where Value == [SyncKey] {
    /// The format of the sync keys, separated by commas, the signing one first. They are written without their secrets.
    package static var syncKeys: ValueFormat {
        ValueFormat(
            "ID:SECRET,…",
            read: { text throws(InvalidValue) in
                let keys = text.split(separator: ",", omittingEmptySubsequences: false).map { SyncKey(String($0)) }
                let known = keys.compactMap(\.self)
                guard known.count == keys.count, Set(known.map(\.id)).count == keys.count else {
                    throw InvalidValue(
                        expected:
                            "keys as 2:…,1:…, each with a different number up to 255 and at least \(SyncKey.fewestCharacters) characters")
                }
                return known
            },
            write: { keys in keys.isEmpty ? "none" : keys.map { "\($0.id):\(Secret.mask)" }.joined(separator: ",") })
    }
}

extension ValueFormat where Value == TrustedProxy {
    static var trustedProxy: ValueFormat {
        ValueFormat(
            "PROXY",
            read: { text throws(InvalidValue) in
                guard let proxy = TrustedProxy(text) else {
                    throw InvalidValue(expected: "unix, an address like 192.0.2.1 or ::1, or a network like 10.0.0.0/8")
                }
                return proxy
            },
            write: \.description)
    }
}

/// A key that signs sync cursors: `3:` and a secret.
package struct SyncKey: Sendable, Hashable {
    /// The minimum length of a secret: 32 random bytes in base64url.
    package static let fewestCharacters = 43

    /// The number of the key, which each cursor contains.
    package let id: UInt8
    package let secret: Secret

    /// Returns nil if the text is not a key, or if its secret is too short.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, (1...3).contains(parts[0].utf8.count), parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let id = UInt8(parts[0]), parts[1].utf8.count >= Self.fewestCharacters,
            parts[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") })
        else { return nil }
        self.init(id: id, secret: Secret(String(parts[1])))
    }

    package init(id: UInt8, secret: Secret) {
        self.id = id
        self.secret = secret
    }
}
