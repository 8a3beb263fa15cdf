import HTTPMessages
import Host
import Telemetry
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("Forwarded requests")
struct ForwardingTests {
    private static let strictTransport: FieldName = "strict-transport-security"

    /// Sends a request from 192.0.2.1, and returns the client as the route and the log see it.
    private func send(_ fields: [String], trusting proxies: [String], isEncrypted: Bool = false) async throws -> Response {
        let clients = Locked<[Observation.Value?]>([])
        let telemetry = Telemetry(
            now: { .epoch },
            sinks: [{ observation, _ in clients.withLock { $0.append(observation.fields.first { $0.name == "client" }?.value) } }])
        let route = Route(.get, "/me") { call in
            .now(Response(.ok, body: Body("\(call.client.address) \(call.client.isEncrypted)")))
        }
        let list = TrustedProxies(try proxies.map { try #require(TrustedProxy($0)) })
        let metrics = RequestMetrics()
        let application = Application([route], middleware: .ofServe(metrics, telemetry), proxies: list, metrics: metrics)
        let response = try await application.send("GET /me", fields, isEncrypted: isEncrypted)
        #expect(clients.withLock { $0 } == [.text(String(response.text.prefix { $0 != " " }))])
        return response
    }

    @Test("The forwarded address and scheme of a trusted proxy apply to the route and to HSTS")
    func believed() async throws {
        let response = try await send(["X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: https"], trusting: ["192.0.2.0/24"])
        #expect(response.text == "203.0.113.7 true")
        #expect(response[Self.strictTransport] == ["max-age=31536000"])
        let plain = try await send(["X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: http"], trusting: ["192.0.2.1"])
        #expect(plain.text == "203.0.113.7 false")
        #expect(plain[Self.strictTransport] == [])
    }

    @Test("A response without a route has HSTS too")
    func options() async throws {
        let application = Application(
            [Route(.get, "/me") { _ in .now(Response(.ok)) }], middleware: .ofServe(RequestMetrics(), .silent),
            proxies: TrustedProxies(try [#require(TrustedProxy("192.0.2.1"))]), metrics: RequestMetrics())
        for line in ["OPTIONS /me", "OPTIONS *", "GET /nowhere"] {
            let response = try await application.send(line, ["X-Forwarded-Proto: https"])
            #expect(response[Self.strictTransport] == ["max-age=31536000"], "\(line)")
        }
    }

    @Test("Forwarded fields from other peers are ignored", arguments: [[], ["192.0.2.2"], ["unix", "203.0.113.0/24"]])
    func passedOver(proxies: [String]) async throws {
        let response = try await send(["X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: https"], trusting: proxies)
        #expect(response.text == "192.0.2.1 false")
        #expect(response[Self.strictTransport] == [])
    }

    @Test("Unreadable forwarded fields are ignored")
    func malformed() async throws {
        let response = try await send(["X-Forwarded-For: 203.0.113.7, what", "X-Forwarded-Proto: who"], trusting: ["192.0.2.1"])
        #expect(response.text == "192.0.2.1 false")
        #expect(try await send([], trusting: ["192.0.2.1"]).text == "192.0.2.1 false")
    }

    @Test("An encrypted connection from the proxy itself has no second HSTS field")
    func encryptedTwice() async throws {
        let response = try await send(["X-Forwarded-Proto: https"], trusting: ["192.0.2.1"], isEncrypted: true)
        #expect(response.text == "192.0.2.1 true")
        #expect(response[Self.strictTransport] == [], "the server adds it to all that it encrypts")
        #expect(try await send(["X-Forwarded-Proto: http"], trusting: ["192.0.2.1"], isEncrypted: true).text == "192.0.2.1 false")
    }
}
