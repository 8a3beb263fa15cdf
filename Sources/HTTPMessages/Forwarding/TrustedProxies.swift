/// The proxies that are trusted to name the client in X-Forwarded-For and X-Forwarded-Proto.
///
/// Forwarded is not read: a proxy that writes one kind of header passes on the other from the client unchanged.
package struct TrustedProxies: Sendable {
    private let list: [TrustedProxy]

    package init(_ list: [TrustedProxy]) { self.list = list }

    package var isEmpty: Bool { list.isEmpty }

    /// Returns whether a peer is a trusted proxy. The peer is an address or `unix`.
    package func trust(peer: String) -> Bool {
        if peer == "unix" { return list.contains(.unix) }
        return IPAddress(peer).map(trust) ?? false
    }

    /// Returns the client's address: the last in X-Forwarded-For that is not a trusted proxy. Clients can forge the
    /// addresses before it.
    ///
    /// Returns the first address if all are trusted, and nil if the list is empty or one is invalid.
    package func client(_ fields: HTTPFields) -> IPAddress? {
        var client: IPAddress?
        for element in Self.elements(of: .xForwardedFor, fields).reversed() {
            client = IPAddress(element.withoutPort)
            guard let client, trust(client) else { return client }
        }
        return client
    }

    /// Returns whether the client's connection to the last proxy is encrypted. Nil if that proxy does not report it.
    package func isEncrypted(_ fields: HTTPFields) -> Bool? {
        guard let word = Self.elements(of: .xForwardedProto, fields).last else { return nil }
        return word.span.isWord("https") ? true : word.span.isWord("http") ? false : nil
    }

    func trust(_ address: IPAddress) -> Bool { list.contains { $0.contains(address) } }

    /// Splits bytes instead of characters, because a combining character would absorb the comma before it.
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
    /// The address without a port: of `192.0.2.1:4711`, `[2001:db8::1]` and `[2001:db8::1]:4711`. Other bytes are
    /// unchanged.
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
