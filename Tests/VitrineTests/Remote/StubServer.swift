import EventLoop
import HTTP
import HTTPMessages
import Host
import Telemetry
import TestDatabase

@testable import CLI

/// A server in the process of the test.
struct StubServer: Sendable {
    let url: ServerURL
    private let log: Locked<[String]>

    /// The requests so far, each with its method and path.
    var requests: [String] { log.withLock(\.self) }

    /// Runs a server during a body, which receives a client with a token.
    static func run(
        _ respond: @escaping @Sendable (Request) -> HandlerResult,
        _ body: @escaping @Sendable (StubServer, AdminClient) async throws -> Void
    ) async throws {
        let log = Locked<[String]>([])
        let service = Service(
            admit: { _, _ in .body(limit: 1_000_000) },
            respond: { request in
                log.withLock { $0.append("\(request.head.method) \(request.head.target.path)") }
                return respond(request)
            },
            refuse: { failure, _ in Response(failure.status) })
        let group = try EventLoopGroup(name: "stub", count: 1)
        let server = try await HTTPServer([.tcp(host: "127.0.0.1", port: 0)], on: group, service: service, limits: ServerLimits())
        let url = try ServerURL(parsing: "http://127.0.0.1:\(server.ports[0] ?? 0)")
        let result: Result<Void, any Error>
        do {
            try await withLoop { loop in
                let client = AdminClient(client: try HTTPClient(url, on: loop), token: Secret("vtr_stub"))
                try await body(StubServer(url: url, log: log), client)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await server.shutDown(until: .after(.seconds(5)))
        await group.stop()
        try result.get()
    }
}
