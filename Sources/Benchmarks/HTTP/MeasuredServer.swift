/// A server in a separate process on the first core.
struct MeasuredServer {
    let name: String
    /// The ports without and with TLS.
    let ports: (plain: Int, encrypted: Int)
    /// The processes that serve the ports.
    private let processes: (plain: Int32, encrypted: Int32)

    init(name: String, ports: (plain: Int, encrypted: Int), processes: (plain: Int32, encrypted: Int32)) {
        self.name = name
        self.ports = ports
        self.processes = processes
    }

    /// Creates a server with one process and one port, with or without TLS.
    init(name: String, port: Int, process: Int32) {
        self.init(name: name, ports: (port, port), processes: (process, process))
    }

    func url(_ path: String, isEncrypted: Bool) -> String {
        isEncrypted ? "https://127.0.0.1:\(ports.encrypted)\(path)" : "http://127.0.0.1:\(ports.plain)\(path)"
    }

    /// Returns the CPU time of a port's process since its start.
    func time(isEncrypted: Bool = false) throws -> CPUReading {
        try CPUReading(of: isEncrypted ? processes.encrypted : processes.plain)
    }
}
