internal import CPostgres

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
