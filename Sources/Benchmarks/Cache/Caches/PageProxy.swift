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
    private let origin: Int
    private let kind: Kind
    private let listener: LocalListener
    private let entries = Locked<[Substring: Entry]>([:])

    var port: Int { listener.port }

    init(_ kind: Kind, origin: Int) throws {
        self.kind = kind
        self.origin = origin
        listener = try LocalListener()
        try listener.start { [self] in try serve($0) }
    }

    func objects() -> Int { entries.withLock { $0.count } }

    /// Stops accepting connections.
    func stop() { listener.stop() }

    private func serve(_ client: PageConnection) throws {
        while let lines = try client.head() {
            switch kind {
            case .storing: try client.send(response(to: lines))
            case .removingStale: try client.send(fetch(lines).bytes)
            }
        }
    }

    /// Returns the stored response of the URL. If several threads need it, one of them fetches it.
    private func response(to lines: [Substring]) throws -> [UInt8] {
        let url = lines[0].split(separator: " ")[1]
        while true {
            switch find(url) {
            case .response(let response): return response
            case .pending: usleep(1_000)
            case .nothing: return try fetchToStore(url, lines)
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

    /// Sends the request of one client, with all of its fields except for the coding. So if a public response depends on
    /// another field, clients with another value of it get a wrong page.
    private func fetchToStore(_ url: Substring, _ lines: [Substring]) throws -> [UInt8] {
        var stored: Stored?
        defer { entries.withLock { $0[url] = stored.map { .stored($0) } } }
        let (bytes, control) = try fetch(lines.filter { !$0.lowercased().hasPrefix("accept-encoding:") })
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
