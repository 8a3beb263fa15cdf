import Glibc
import Host

/// A proxy of the trial with a thread for each connection. It stores responses by their URL alone and ignores `Vary`, or
/// stores nothing and removes `stale-while-revalidate`.
final class PageProxy: TestedCache, Sendable {
    enum Kind {
        case storing
        case removingStale
    }

    private struct Stored {
        let response: [UInt8]
        let end: ContinuousClock.Instant
    }

    private enum Entry {
        case stored(Stored)
        /// A thread fetches the response.
        case pending
    }

    private enum Found {
        case response([UInt8])
        case pending
        case nothing
    }

    let name = "a cache by URL"
    /// The cache requests no content coding, because it would give it to clients without this coding.
    let codings = 1
    let port: Int
    private let origin: Int
    private let kind: Kind
    private let listener: Int32
    private let entries = Locked<[Substring: Entry]>([:])

    init(_ kind: Kind, origin: Int) throws {
        self.kind = kind
        self.origin = origin
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        port = try CacheProcess.freePort()
        var address = sockaddr_in(port: port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard status == 0, listen(listener, 128) == 0 else { throw HostError(errnoOf: "listen on", "port \(port)") }
        try Thread.start { [self] in accept() }
    }

    func objects() -> Int { entries.withLock { $0.count } }

    /// Stops accepting connections.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func accept() {
        while true {
            let number = Glibc.accept(listener, nil, nil)
            guard number >= 0 else { return }
            do {
                try Thread.start { [self] in
                    do { try serve(PageConnection(adopting: number)) } catch { print("the proxy closed a connection: \(error)") }
                }
            } catch { print("the proxy cannot serve: \(error)") }
        }
    }

    private func serve(_ client: PageConnection) throws {
        while let lines = try client.head() {
            switch kind {
            case .storing: try client.send(response(of: lines[0].split(separator: " ")[1]))
            case .removingStale: try client.send(fetch(lines).bytes)
            }
        }
    }

    /// Returns the stored response of a URL. Of several threads, one fetches it.
    private func response(of url: Substring) throws -> [UInt8] {
        while true {
            switch find(url) {
            case .response(let response): return response
            case .pending: usleep(1_000)
            case .nothing: return try fetchToStore(url)
            }
        }
    }

    private func find(_ url: Substring) -> Found {
        entries.withLock { entries in
            switch entries[url] {
            case .stored(let stored)? where stored.end > .now: return .response(stored.response)
            case .pending?: return .pending
            case .stored?, nil:
                entries[url] = .pending
                return .nothing
            }
        }
    }

    private func fetchToStore(_ url: Substring) throws -> [UInt8] {
        var stored: Stored?
        defer { entries.withLock { $0[url] = stored.map { .stored($0) } } }
        let (bytes, control) = try fetch(["GET \(url) HTTP/1.1", "host: shop"])
        if let control, control.hasPrefix("public, "), let age = control.firstMatch(of: #/max-age=([0-9]+)/#).flatMap({ Int($0.1) }) {
            stored = Stored(response: bytes, end: .now + .seconds(age))
        }
        return bytes
    }

    /// Returns the response of the server with its `Cache-Control`.
    private func fetch(_ lines: [Substring]) throws -> (bytes: [UInt8], control: Substring?) {
        // The server closes connections that are not used for a while.
        let server = try PageConnection(port: origin)
        try server.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        let response = try server.receive()
        let head = response.head.map { kind == .removingStale ? $0.replacing(#/, stale-while-revalidate=[0-9]+/#, with: "") : $0 }
        let text = "HTTP/1.1 \(response.status) Page\r\n" + head.map { "\($0)\r\n" }.joined() + "\r\n"
        return (Array(text.utf8) + response.body, response["cache-control"])
    }
}
