package import Telemetry

/// A key that the cursors of sync are sealed with: `3:` and a secret.
package struct SyncKey: Sendable, Hashable {
    /// As few characters as nobody can guess: 32 bytes in base64url.
    package static let fewestCharacters = 43

    /// In every cursor that it sealed.
    package let id: UInt8
    package let secret: Secret

    /// Nil for what is no key, or too short to be one.
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
