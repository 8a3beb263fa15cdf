package import Arguments
internal import Values

package enum ListenAddress: Sendable, Hashable {
    /// A name or an address of this machine. An IPv6 address has no brackets. With port 0 the system chooses.
    case host(String, port: Int)
    /// All addresses of this machine.
    case anyHost(port: Int)
    /// The path of a socket.
    case unix(String)

    package init(parsing text: String) throws(InvalidValue) {
        let expectation = InvalidValue(expected: "an address like 127.0.0.1:8080, [::1]:8080, *:8080 or unix:/run/vitrine.sock")
        let scheme = "unix:"
        if text.utf8.starts(with: scheme.utf8) {
            let path = String(Substring(text.utf8.dropFirst(scheme.utf8.count)))
            // sockaddr_un holds 108 bytes, the last of them NUL.
            guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= 107, !path.utf8.contains(0) else {
                throw InvalidValue(expected: "unix: and an absolute path of at most 107 bytes")
            }
            self = .unix(path)
            return
        }
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { throw expectation }
        let name = String(text[..<colon])
        let digits = text.utf8[text.utf8.index(after: colon)...]
        guard (1...5).contains(digits.count), digits.allSatisfy(\.isDigit),
            let port = Int(Substring(digits)), port <= 65_535
        else { throw InvalidValue(expected: "an address with a port from 0 to 65535 at its end, like 127.0.0.1:8080") }
        if name == "*" {
            self = .anyHost(port: port)
        } else if name.isHostName {
            self = .host(name, port: port)
        } else if name.first == "[", name.last == "]", name.dropFirst().dropLast().isIPv6 {
            self = .host(String(name.dropFirst().dropLast()), port: port)
        } else {
            throw expectation
        }
    }

    /// Whether one program cannot listen on both, as far as their text shows.
    package func overlaps(_ other: ListenAddress) -> Bool {
        guard let port, port == other.port else { return port == nil && self == other }
        return port != 0 && (isWildcard || other.isWildcard || self == other)
    }

    private var port: Int? {
        switch self {
        case .host(_, let port), .anyHost(let port): port
        case .unix: nil
        }
    }

    private var isWildcard: Bool {
        switch self {
        case .anyHost, .host("0.0.0.0", _), .host("::", _): true
        case .host, .unix: false
        }
    }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .host(let name, let port): name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]:\(port)" : "\(name):\(port)"
        case .anyHost(let port): "*:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

extension ValueFormat where Value == ListenAddress {
    package static var listenAddress: ValueFormat {
        ValueFormat("ADDRESS", read: { text throws(InvalidValue) in try ListenAddress(parsing: text) }, write: \.description)
    }
}

extension StringProtocol {
    fileprivate var isHostName: Bool {
        (1...253).contains(utf8.count)
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
                default: false
                }
            }
    }

    /// Whether the text has only the characters of an IPv6 address. The system validates the rest.
    fileprivate var isIPv6: Bool {
        let address = prefix { $0 != "%" }
        let zone = self[address.endIndex...].dropFirst()
        return address.utf8.contains(UInt8(ascii: ":")) && (2...45).contains(address.utf8.count)
            && address.unicodeScalars.allSatisfy { "0123456789abcdefABCDEF:.".unicodeScalars.contains($0) }
            && (zone.isEmpty ? !utf8.contains(UInt8(ascii: "%")) : zone.isHostName)
    }
}
