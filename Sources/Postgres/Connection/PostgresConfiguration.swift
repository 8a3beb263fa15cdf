internal import CPostgres

/// The address of the database and the behavior of its sessions.
///
/// Parameters of the URL override the values here, except `client_encoding`.
package struct PostgresConfiguration: Sendable {
    package var url: DatabaseURL
    /// The database of the session. nil if it is that of the URL.
    package var database: String?
    package var applicationName = "vitrine"
    /// The limit of every statement, regardless of its caller's deadline. For a copy it includes the time of a slow
    /// reader.
    package var statementTimeout = Duration.seconds(5)
    package var lockTimeout = Duration.seconds(2)
    package var idleInTransactionTimeout = Duration.seconds(10)
    /// The time after which the server ends a session that is idle outside a transaction and releases its locks. nil
    /// if there is no limit.
    package var idleTimeout: Duration?
    /// The limit for each address that is tried.
    package var connectTimeout = Duration.seconds(3)
    /// The time after which a connection with unacknowledged data is closed.
    package var tcpUserTimeout = Duration.seconds(15)
    /// The approximate time after which the server detects that this machine is gone. nil if the server's
    /// own setting applies. A Unix socket reports it immediately.
    package var serverTimeout: Duration?
    /// Whether commits wait for the disk even if the server's default is asynchronous.
    package var commitsDurably = false
    package var needsWritableServer = true
    /// The time to wait for a canceled query to end before the connection is closed.
    package var cancelGrace = Duration.seconds(1)
    /// The maximum number of prepared statements per session. Each query beyond them is planned every time it runs.
    package var preparedStatements = 512

    package init(url: DatabaseURL) { self.url = url }

    /// The libpq parameters of a session, without the address of the server.
    var sessionParameters: [(name: String, value: String)] {
        var timeouts = [
            ("statement_timeout", statementTimeout), ("lock_timeout", lockTimeout),
            ("idle_in_transaction_session_timeout", idleInTransactionTimeout),
        ]
        if let idleTimeout { timeouts.append(("idle_session_timeout", idleTimeout)) }
        if let serverTimeout { timeouts.append(("tcp_user_timeout", serverTimeout)) }
        // The server probes after half of that time, and again at its end.
        let seconds = serverTimeout.map { max(1, $0.wholeMilliseconds / 2_000) }
        let keepalives = seconds.map { ["idle=\($0)", "interval=\($0)", "count=1"].map { "-c tcp_keepalives_\($0)" } } ?? []
        // The server's queries are short, and JIT compilation takes up to half a second.
        let options =
            timeouts.map { "-c \($0.0)=\($0.1.wholeMilliseconds)" } + keepalives + ["-c jit=off"]
            + (commitsDurably ? ["-c synchronous_commit=on"] : [])
        return [
            ("application_name", applicationName), ("options", options.joined(separator: " ")),
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(tcpUserTimeout.wholeMilliseconds)"),
            ("target_session_attrs", needsWritableServer ? "read-write" : "any"),
            // A search for a Kerberos ticket can block the loop on the network.
            ("gssencmode", "disable"),
        ]
    }
}

extension Duration {
    /// The duration in milliseconds, at least 1, because 0 means "no limit" to PostgreSQL.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        let limit = Int64(Int32.max)
        guard !overflow, whole < limit else { return seconds < 0 ? 1 : Int(limit) }
        return Int(max(1, min(limit, whole + attoseconds / 1_000_000_000_000_000)))
    }
}

/// The connection parameters that libpq reads from a URL and the environment, by name.
struct ConnectionParameters {
    /// The limit for each address that is tried. `connect_timeout` of the URL overrides it in seconds unless it is 0.
    private(set) var connectTimeout: Duration
    private var values: [String: String] = [:]

    /// Reads files and the environment without waiting for the network.
    init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        connectTimeout = configuration.connectTimeout
        for (name, value) in configuration.sessionParameters { values[name] = value }
        let sessionOptions = values["options"]
        guard let given = unsafe PQconninfoParse(configuration.url.exposed, nil) else {
            throw PostgresError(.connectFailed, "libpq cannot parse the database URL")
        }
        defer { unsafe PQconninfoFree(given) }
        unsafe merge(given)
        if let database = configuration.database { values["dbname"] = database }
        // Text is read and written as UTF-8 here.
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
    /// A name, an address or a socket directory. Empty for libpq's default. TLS verifies the server certificate against
    /// it.
    var host: String
    /// The address that the name was resolved to. nil if it is a socket.
    var address: String?
    var port: String

    /// Returns the endpoints of comma-separated lists of hosts, addresses and ports, as libpq reads them.
    static func list(host: String?, address: String?, port: String?) -> [Endpoint] {
        let hosts = split(host)
        let addresses = split(address)
        let ports = split(port)
        return (0..<max(hosts.count, addresses.count, 1)).map { index in
            let address = index < addresses.count && !addresses[index].isEmpty ? addresses[index] : nil
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return Endpoint(host: index < hosts.count ? hosts[index] : "", address: address, port: port)
        }
    }

    /// Whether the host must be resolved: it is not a socket and has no address.
    var needsResolution: Bool {
        address == nil && !host.isEmpty && host.utf8.first != UInt8(ascii: "/") && host.utf8.first != UInt8(ascii: "@")
    }

    private static func split(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
