import EventLoop
import HTTP
import HTTPMessages
import Host
import TestSupport
import VitrineClient

/// The sender of one client's requests, which chooses an available server and switches when it is gone.
final class Asker: @unchecked Sendable {
    // Unchecked: a single client uses it, from one task after another on one event loop.
    private let ports: @Sendable () -> [Int]
    private let cache: SharedCache?
    private let outcome: StressOutcome
    private var client: (port: Int, http: HTTPClient)?
    private var random: SeededRandom

    init(_ outcome: StressOutcome, through cache: SharedCache? = nil, seed: UInt64 = 0, _ ports: @escaping @Sendable () -> [Int]) {
        self.outcome = outcome
        self.cache = cache
        self.ports = ports
        random = SeededRandom(seed: seed)
    }

    func callAsFunction(_ request: SyncRequest, of scope: CopyScope, within time: Duration, on loop: EventLoop) async throws -> SyncResponse
    {
        let ports = ports()
        // Occasionally another server, which may have another version.
        if client.map({ !ports.contains($0.port) || Int.random(in: 0..<20, using: &random) == 0 }) ?? true {
            guard let port = ports.randomElement(using: &random) else { return .unreachable("there is no server") }
            client = (port, try HTTPClient(ServerURL(parsing: "http://127.0.0.1:\(port)"), on: loop))
        }
        guard let client else { return .unreachable("there is no server") }
        let target = request.target(in: scope)
        let stored = cache?[target]
        if let stored, stored.isFresh {
            outcome.count("responses of a cache")
            return .response(status: 200, retryAfter: nil, body: stored.body)
        }
        do throws(HTTPClientError) {
            let condition = stored.map { [(name: FieldName.ifNoneMatch, value: $0.tag)] } ?? []
            let response = try await client.http.send(OutboundRequest(.get, target, fields: condition), until: .after(time))
            if response.status == .notModified, let stored {
                outcome.count("responses that were still good")
                cache?.keep(response, of: target, stored.body)
                return .response(status: 200, retryAfter: nil, body: stored.body)
            }
            if response.status == .ok { cache?.keep(response, of: target, response.body) }
            return .response(status: response.status.rawValue, retryAfter: response.retryAfter, body: response.body)
        } catch {
            self.client = nil
            return .unreachable("\(error)")
        }
    }
}
