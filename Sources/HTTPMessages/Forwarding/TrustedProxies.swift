/// Those who may say for whom they ask, in X-Forwarded-For and X-Forwarded-Proto.
///
/// The header Forwarded is not read: a proxy that writes one of the two passes on what a client has put in the other.
package struct TrustedProxies: Sendable {
    private let list: [TrustedProxy]

    package init(_ list: [TrustedProxy]) { self.list = list }

    package var isEmpty: Bool { list.isEmpty }

    /// Whether one may speak for others who connects from here: an address, or `unix`.
    package func trust(peer: String) -> Bool {
        if peer == "unix" { return list.contains(.unix) }
        return IPAddress(peer).map(trust) ?? false
    }

    /// The address for which one asks who is trusted: the last one in the list that is no trusted proxy's itself, as everything in front of that
    /// may be made up. The first one where all are trusted, and nil where there is none or one cannot be read.
    package func client(_ fields: HTTPFields) -> IPAddress? {
        var client: IPAddress?
        for element in Self.elements(of: .xForwardedFor, fields).reversed() {
            client = IPAddress(element.withoutPort)
            guard let client, trust(client) else { return client }
        }
        return client
    }

    /// Whether the client's own connection is encrypted, as the last proxy tells; nil where it does not.
    package func isEncrypted(_ fields: HTTPFields) -> Bool? {
        guard let word = Self.elements(of: .xForwardedProto, fields).last else { return nil }
        return word.span.isWord("https") ? true : word.span.isWord("http") ? false : nil
    }

    func trust(_ address: IPAddress) -> Bool { list.contains { $0.contains(address) } }

    /// By bytes: there are characters that would swallow the comma behind them.
    private static func elements(of name: FieldName, _ fields: HTTPFields) -> [[UInt8]] {
        var elements: [[UInt8]] = []
        fields.forEach(name) { line in
            line.forEachListElement { element in
                var bytes: [UInt8] = []
                element.append(to: &bytes)
                elements.append(bytes)
            }
        }
        return elements
    }
}

extension [UInt8] {
    /// Of `192.0.2.1:4711`, `[2001:db8::1]` and `[2001:db8::1]:4711` the address; anything else as it is.
    fileprivate var withoutPort: ArraySlice<UInt8> {
        if first == UInt8(ascii: "[") {
            guard let end = lastIndex(of: UInt8(ascii: "]")) else { return self[...] }
            return end + 1 == count || self[(end + 1)...].isPort ? self[1..<end] : self[...]
        }
        guard contains(UInt8(ascii: ".")), let colon = firstIndex(of: UInt8(ascii: ":")), self[colon...].isPort else { return self[...] }
        return self[..<colon]
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isPort: Bool { first == UInt8(ascii: ":") && (2...6).contains(count) && dropFirst().allSatisfy(\.isDigit) }
}
