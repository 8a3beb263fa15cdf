import Glibc
import Host

/// A listening socket on a local port, with a thread for each connection.
struct LocalListener: Sendable {
    let port: Int
    private let number: Int32

    init() throws {
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        port = try CacheProcess.freePort()
        var address = sockaddr_in(port: port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard status == 0, listen(number, 128) == 0 else { throw HostError(errnoOf: "listen on", "port \(port)") }
    }

    /// Runs a body with each accepted connection.
    func start(_ serve: @escaping @Sendable (PageConnection) throws -> Void) throws {
        let number = self.number
        try Thread.start {
            while true {
                let accepted = accept(number, nil, nil)
                guard accepted >= 0 else { return }
                do {
                    try Thread.start {
                        do { try serve(PageConnection(adopting: accepted)) } catch { print("a connection was closed: \(error)") }
                    }
                } catch { print("a connection cannot be served: \(error)") }
            }
        }
    }

    /// Stops accepting connections.
    func stop() { shutdown(number, Int32(SHUT_RDWR)) }
}
