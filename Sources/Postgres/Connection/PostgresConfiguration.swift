internal import CPostgres

/// Where the database is and how a session with it behaves.
///
/// What the URL says itself goes before the values here; its encoding alone does not count.
package struct PostgresConfiguration: Sendable {
    package var url: DatabaseURL
    package var applicationName = "vitrine"
    /// Ends any statement, whatever deadline its caller gives; of a copy the time of a slow reader counts.
    package var statementTimeout = Duration.seconds(5)
    package var lockTimeout = Duration.seconds(2)
    package var idleInTransactionTimeout = Duration.seconds(10)
    /// How long a session may ask nothing outside of a transaction before the server ends it, and with it what it has locked; nil for ever.
    package var idleTimeout: Duration?
    /// For each address that is tried.
    package var connectTimeout = Duration.seconds(3)
    /// How long what the other side has not acknowledged keeps a connection alive.
    package var tcpUserTimeout = Duration.seconds(15)
    /// How long the server takes, at about, to find out that this machine is gone; nil for what its operator has set. Sockets of its own
    /// machine tell at once.
    package var serverTimeout: Duration?
    /// Whether its commits wait for the disk also where the server's others do not.
    package var commitsDurably = false
    package var needsWritableServer = true
    /// How long the end of a cancelled query is waited for before the connection is given up.
    package var cancelGrace = Duration.seconds(1)
    /// The most statements that a session prepares; each query beyond them is planned each time it runs.
    package var preparedStatements = 512

    package init(url: DatabaseURL) { self.url = url }

    /// The parameters of libpq, without the place of the server.
    var sessionParameters: [(name: String, value: String)] {
        var timeouts = [
            ("statement_timeout", statementTimeout), ("lock_timeout", lockTimeout),
            ("idle_in_transaction_session_timeout", idleInTransactionTimeout),
        ]
        if let idleTimeout { timeouts.append(("idle_session_timeout", idleTimeout)) }
        if let serverTimeout { timeouts.append(("tcp_user_timeout", serverTimeout)) }
        // It asks after half of that time, and once again at its end.
        let seconds = serverTimeout.map { max(1, $0.wholeMilliseconds / 2_000) }
        let keepalives = seconds.map { ["idle=\($0)", "interval=\($0)", "count=1"].map { "-c tcp_keepalives_\($0)" } } ?? []
        // The queries of a server are short; compiling one takes up to half a second.
        let options =
            timeouts.map { "-c \($0.0)=\($0.1.wholeMilliseconds)" } + keepalives + ["-c jit=off"]
            + (commitsDurably ? ["-c synchronous_commit=on"] : [])
        return [
            ("application_name", applicationName), ("options", options.joined(separator: " ")),
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(tcpUserTimeout.wholeMilliseconds)"),
            ("target_session_attrs", needsWritableServer ? "read-write" : "any"),
            // Looking for a Kerberos ticket may ask the network, on the loop.
            ("gssencmode", "disable"),
        ]
    }
}

extension Duration {
    /// At least 1, for 0 means "without a limit" to PostgreSQL.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        let limit = Int64(Int32.max)
        guard !overflow, whole < limit else { return seconds < 0 ? 1 : Int(limit) }
        return Int(max(1, min(limit, whole + attoseconds / 1_000_000_000_000_000)))
    }
}

/// What libpq reads from a URL and its environment, by name.
struct ConnectionParameters {
    /// For each address that is tried; what the URL says counts in seconds, and 0 means nothing there.
    private(set) var connectTimeout: Duration
    private var values: [String: String] = [:]

    /// Reads files and the environment, and waits for nothing.
    init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        connectTimeout = configuration.connectTimeout
        for (name, value) in configuration.sessionParameters { values[name] = value }
        let sessionOptions = values["options"]
        guard let given = unsafe PQconninfoParse(configuration.url.exposed, nil) else {
            throw PostgresError(.connectFailed, "libpq does not understand the URL of the database")
        }
        defer { unsafe PQconninfoFree(given) }
        unsafe merge(given)
        // Texts are read and written as UTF-8 here.
        values["client_encoding"] = "UTF8"
        if let seconds = values["connect_timeout"].flatMap({ Int($0) }), seconds > 0 { connectTimeout = .seconds(seconds) }
        if let own = values["options"], let sessionOptions, own != sessionOptions { values["options"] = "\(sessionOptions) \(own)" }
        guard let defaults = unsafe PQconndefaults() else { return }
        defer { unsafe PQconninfoFree(defaults) }
        for name in ["host", "hostaddr", "port"] where values[name] == nil { unsafe merge(defaults, only: name) }
    }

    var endpoints: [Endpoint] { Endpoint.list(host: values["host"], address: values["hostaddr"], port: values["port"]) }

    func parameters(for endpoint: Endpoint) -> [(name: String, value: String)] {
        var chosen = values
        chosen["host"] = endpoint.host
        chosen["hostaddr"] = endpoint.address
        chosen["port"] = endpoint.port
        return chosen.map { ($0.key, $0.value) }
    }

    private mutating func merge(_ options: UnsafeMutablePointer<PQconninfoOption>, only name: String? = nil) {
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            let keyword = unsafe String(cString: keyword)
            if name == nil || name == keyword, let value = unsafe option.pointee.val { unsafe values[keyword] = String(cString: value) }
            unsafe option += 1
        }
    }
}

struct Endpoint: Sendable, Equatable {
    /// A name, an address or a directory of sockets; empty for libpq's own choice. TLS compares a certificate with it.
    var host: String
    /// What the name was resolved to; nil for sockets.
    var address: String?
    var port: String

    /// The endpoints that a comma-separated list of hosts stands for, as libpq reads it.
    static func list(host: String?, address: String?, port: String?) -> [Endpoint] {
        let hosts = split(host)
        let addresses = split(address)
        let ports = split(port)
        return (0..<max(hosts.count, addresses.count, 1)).map { place in
            let address = place < addresses.count && !addresses[place].isEmpty ? addresses[place] : nil
            let port = ports.count == 1 ? ports[0] : place < ports.count ? ports[place] : ""
            return Endpoint(host: place < hosts.count ? hosts[place] : "", address: address, port: port)
        }
    }

    /// Whether its name is one to look up: no socket, and no address given beside it.
    var needsResolution: Bool {
        address == nil && !host.isEmpty && host.utf8.first != UInt8(ascii: "/") && host.utf8.first != UInt8(ascii: "@")
    }

    private static func split(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
