internal import Arguments
internal import Telemetry
internal import Values

/// A parser of the bytes of a database URL that records the ranges of its secrets.
struct DatabaseURLParser {
    private let bytes: [UInt8]
    private var rest: ArraySlice<UInt8>
    private var hostNames: [String] = []
    private var ports: [String] = []
    private(set) var user: String?
    private(set) var database: String?
    private(set) var parameters: [DatabaseURL.Parameter] = []
    /// The password of the user part with its range in the text.
    private(set) var password: (place: Range<Int>, text: String)?
    /// The ranges of all secrets, none of them empty.
    private(set) var secrets: [Range<Int>] = []

    init(_ text: String) throws(InvalidValue) {
        let bytes = Array(text.utf8)
        let schemes = ["postgresql://", "postgres://"]
        guard bytes.count <= 4_096, let scheme = schemes.first(where: { bytes.starts(with: $0.utf8) }) else {
            throw InvalidValue(expected: "a URL like postgresql://user@host:5432/database")
        }
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw InvalidValue(expected: "a URL with spaces and control characters percent-encoded")
        }
        self.bytes = bytes
        rest = bytes[scheme.utf8.count...]
    }

    mutating func parse() throws(InvalidValue) {
        try parseUser()
        try parseHosts()
        if skip("/") {
            let name = consume(until: "?")
            guard !name.contains(UInt8(ascii: "/")), !name.contains(UInt8(ascii: "@")) else {
                throw InvalidValue(expected: "a URL with each '/' and '@' of the password and the database percent-encoded (%2F, %40)")
            }
            database = try decode(name).nonEmpty
        }
        while !rest.isEmpty {
            guard skip("?") || skip("&") else { throw InvalidValue(expected: "a URL that ends after its parameters") }
            try parseParameter()
        }
    }

    /// Returns each host with its port. Call it after the query string is parsed, which can override both.
    func hosts() throws(InvalidValue) -> [DatabaseURL.Host] {
        var numbers: [Int?] = []
        for port in ports {
            guard !port.isEmpty else {
                numbers.append(nil)
                continue
            }
            guard port.utf8.count <= 5, port.utf8.first != UInt8(ascii: "+"), let number = Int(port), (1...65_535).contains(number) else {
                throw InvalidValue(expected: "a URL with ports from 1 to 65535")
            }
            numbers.append(number)
        }
        guard numbers.count <= 1 || numbers.count == hostNames.count else {
            throw InvalidValue(expected: "a URL with one port, or one for each host")
        }
        return hostNames.indices.map { index in
            DatabaseURL.Host(name: hostNames[index], port: numbers.count == 1 ? numbers[0] : numbers.isEmpty ? nil : numbers[index])
        }
    }

    var redactedText: String {
        var printed: [UInt8] = []
        var start = 0
        for secret in secrets {
            printed += bytes[start..<secret.lowerBound] + Array(Secret.mask.utf8)
            start = secret.upperBound
        }
        return String(decoding: printed + bytes[start...], as: UTF8.self)
    }

    /// The text without the password of the user part. nil if it contains another secret.
    var textWithoutPassword: String? {
        guard secrets == (password.map { [$0.place] } ?? []) else { return nil }
        guard let range = password?.place else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes[..<range.lowerBound] + bytes[range.upperBound...], as: UTF8.self)
    }

    private mutating func parseUser() throws(InvalidValue) {
        // Like libpq: the first '@' before the first '/' ends the user part.
        let end = rest.firstIndex { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "/") }
        guard let end, rest[end] == UInt8(ascii: "@") else { return }
        let name = consume(until: ":", "@")
        // Most likely a query string whose value contains an '@'. Shown as a user, it would reveal a password.
        guard !name.contains(UInt8(ascii: "?")) else {
            throw InvalidValue(expected: "a URL with each '@' of a parameter and each '?' of the user percent-encoded (%40, %3F)")
        }
        user = try decode(name).nonEmpty
        if skip(":") {
            let secret = consume(until: "@")
            let text = try decode(secret)
            if !text.isEmpty { password = (secret.startIndex..<secret.endIndex, text) }
            remember(secret: secret)
        }
        _ = skip("@")
    }

    private mutating func parseHosts() throws(InvalidValue) {
        repeat {
            if skip("[") {
                let address = consume(until: "]")
                guard skip("]"), !address.isEmpty, address.allSatisfy(\.isPartOfIPv6) else {
                    throw InvalidValue(expected: "a URL with an IPv6 address in brackets, like [::1]")
                }
                hostNames.append(String(decoding: address, as: UTF8.self))
                guard rest.first.map({ ":/?,".utf8.contains($0) }) ?? true else {
                    throw InvalidValue(expected: "a URL with only a port after the brackets")
                }
            } else {
                hostNames.append(try hostName(decode(consume(until: ":", "/", "?", ","))))
            }
            ports.append(skip(":") ? try decode(consume(until: "/", "?", ",")) : "")
        } while skip(",")
    }

    private mutating func parseParameter() throws(InvalidValue) {
        let name = try decode(consume(until: "=", "&"))
        guard skip("="), !name.isEmpty else { throw InvalidValue(expected: "a URL with parameters written name=value") }
        let range = consume(until: "&")
        guard !range.contains(UInt8(ascii: "=")) else { throw InvalidValue(expected: "a URL with each '=' in a parameter written %3D") }
        let value = try decode(range)
        switch name {
        case "host":
            hostNames = []
            for part in value.split(separator: ",", omittingEmptySubsequences: false) { hostNames.append(try hostName(String(part))) }
            if ports.allSatisfy(\.isEmpty) { ports = [] }
        case "port": ports = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        case "user": user = value.nonEmpty
        case "dbname":
            guard !value.utf8.contains(UInt8(ascii: "@")) else { throw InvalidValue(expected: "a URL whose dbname is a plain name") }
            database = value.nonEmpty
        case _ where LibpqParameters.secret.contains(name): remember(secret: range)
        case _ where LibpqParameters.open.contains(name): parameters.append(.init(name: name, value: value))
        default:
            throw InvalidValue(
                expected: "a URL with only the parameters of libpq", suggestion: name.nearest(among: LibpqParameters.open))
        }
    }

    private func hostName(_ name: String) throws(InvalidValue) -> String {
        let isPath = name.utf8.first == UInt8(ascii: "/")
        guard !name.utf8.contains(UInt8(ascii: "@")), isPath || name.utf8.allSatisfy(\.isPartOfHostName) else {
            throw InvalidValue(expected: "a URL with host names, and each '@' of the password percent-encoded (%40)")
        }
        return name
    }

    private mutating func remember(secret: ArraySlice<UInt8>) {
        if !secret.isEmpty { secrets.append(secret.startIndex..<secret.endIndex) }
    }

    private mutating func consume(until ends: Unicode.Scalar...) -> ArraySlice<UInt8> {
        let consumed = rest.prefix { byte in !ends.contains { UInt8(ascii: $0) == byte } }
        rest = rest[consumed.endIndex...]
        return consumed
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private func decode(_ part: ArraySlice<UInt8>) throws(InvalidValue) -> String {
        guard let text = String(percentDecoding: part) else {
            throw InvalidValue(expected: "a URL with each '%' followed by two hexadecimal digits that make UTF-8 without NUL")
        }
        return text
    }
}

extension UInt8 {
    fileprivate var isPartOfIPv6: Bool { isPartOfHostName || self == UInt8(ascii: ":") || self == UInt8(ascii: "%") }

    fileprivate var isPartOfHostName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...: true
        default: false
        }
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

/// The parameter names that libpq accepts in the query string of a URL, up to version 18. Host, user and database are
/// parsed separately.
enum LibpqParameters {
    /// Parameters whose values are never shown.
    static let secret: Set = ["password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"]

    static let open: Set = [
        "application_name", "channel_binding", "client_encoding", "connect_timeout", "fallback_application_name", "gssdelegation",
        "gssencmode", "gsslib", "hostaddr", "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "krbsrvname",
        "load_balance_hosts", "max_protocol_version", "min_protocol_version", "oauth_client_id", "oauth_issuer", "oauth_scope", "options",
        "passfile", "replication", "require_auth", "requirepeer", "requiressl", "service", "ssl", "ssl_max_protocol_version",
        "ssl_min_protocol_version", "sslcert", "sslcertmode", "sslcompression", "sslcrl", "sslcrldir", "sslkey", "sslkeylogfile",
        "sslmode", "sslnegotiation", "sslrootcert", "sslsni", "target_session_attrs", "tcp_user_timeout",
    ]
}
