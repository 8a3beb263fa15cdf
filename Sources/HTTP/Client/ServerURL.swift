/// The location of a server and its protocol: `http://site.example`, `https://[::1]:8443`, `127.0.0.1:8080`,
/// `unix:/run/vitrine.sock`.
package struct ServerURL: Sendable, Hashable, CustomStringConvertible {
    package enum Endpoint: Sendable, Hashable {
        case tcp(host: String, port: Int)
        case unix(String)
    }

    /// The expectation that an invalid server text violates. It completes the sentence "expected …".
    package struct ParseError: Error, Sendable, Equatable {
        package let expectation: String
    }

    package let endpoint: Endpoint
    package let isEncrypted: Bool

    package init(parsing text: String) throws(ParseError) {
        if text.hasPrefix("unix:/") {
            let path = String(text.dropFirst(5))
            guard path.utf8.count <= 107 else { throw ParseError(expectation: "a path of at most 107 bytes") }
            (endpoint, isEncrypted) = (.unix(path), false)
            return
        }
        var rest = text[...]
        isEncrypted = rest.hasPrefix("https://")
        if isEncrypted { rest = rest.dropFirst(8) } else if rest.hasPrefix("http://") { rest = rest.dropFirst(7) }
        guard !rest.contains("://") else { throw ParseError(expectation: "a server such as http://host:port, https://… or unix:/path") }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let (host, portText) = try Self.split(rest)
        let isNumber = portText.map { !$0.isEmpty && $0.utf8.count <= 5 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } } ?? true
        let port = portText.flatMap { Int($0) } ?? (isEncrypted ? 443 : 80)
        guard isNumber, (1...65_535).contains(port) else { throw ParseError(expectation: "a port from 1 to 65535") }
        endpoint = .tcp(host: host, port: port)
    }

    /// Splits a text into the host and the part after its colon.
    private static func split(_ text: Substring) throws(ParseError) -> (host: String, port: Substring?) {
        var (host, rest) = (text, Substring())
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            (host, rest) = (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
            guard !host.isEmpty, host.utf8.allSatisfy({ $0 == 0x3A || $0 == 0x2E || UInt8(ascii: "%") == $0 || $0.isWordByte }) else {
                throw ParseError(expectation: "an IPv6 address in the brackets")
            }
        } else {
            if let colon = text.firstIndex(of: ":") { (host, rest) = (text[..<colon], text[colon...]) }
            guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy({ $0 == 0x2D || $0 == 0x2E || $0.isWordByte }) else {
                throw ParseError(expectation: "a server such as http://host:port, without a path")
            }
        }
        guard rest.isEmpty || rest.hasPrefix(":") else { throw ParseError(expectation: "a port after the address") }
        return (String(host), rest.isEmpty ? nil : rest.dropFirst())
    }

    /// The value of the `Host` header.
    var authority: String {
        guard case .tcp(let host, let port) = endpoint else { return "localhost" }
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isEncrypted ? 443 : 80) ? name : "\(name):\(port)"
    }

    package var name: String {
        if case .unix(let path) = endpoint { return path }
        return authority
    }

    package var description: String {
        if case .unix(let path) = endpoint { return "unix:\(path)" }
        return "\(isEncrypted ? "https" : "http")://\(authority)"
    }
}

extension UInt8 {
    fileprivate var isWordByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
    }
}
