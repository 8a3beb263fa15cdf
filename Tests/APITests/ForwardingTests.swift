import HTTPMessages
import Host
import Telemetry
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("Forwarding")
struct ForwardingTests {
    private static let strictTransport: FieldName = "strict-transport-security"

    /// Asked by 192.0.2.1; tells who that was, as the log does.
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
        let answer = try await application.send("GET /me", fields, isEncrypted: isEncrypted)
        #expect(clients.withLock { $0 } == [.text(String(answer.text.prefix { $0 != " " }))])
        return answer
    }

    @Test("what a trusted proxy says of its client holds for the route, and for how the client is to come again")
    func believed() async throws {
        let answer = try await send(["X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: https"], trusting: ["192.0.2.0/24"])
        #expect(answer.text == "203.0.113.7 true")
        #expect(answer[Self.strictTransport] == ["max-age=31536000"])
        let plain = try await send(["X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: http"], trusting: ["192.0.2.1"])
        #expect(plain.text == "203.0.113.7 false")
        #expect(plain[Self.strictTransport] == [])
    }

    @Test("also an answer that no route gives says so")
    func options() async throws {
        let application = Application(
            [Route(.get, "/me") { _ in .now(Response(.ok)) }], middleware: .ofServe(RequestMetrics(), .silent),
            proxies: TrustedProxies(try [#require(TrustedProxy("192.0.2.1"))]), metrics: RequestMetrics())
        for line in ["OPTIONS /me", "OPTIONS *", "GET /nowhere"] {
            let answer = try await application.send(line, ["X-Forwarded-Proto: https"])
            #expect(answer[Self.strictTransport] == ["max-age=31536000"], "\(line)")
        }
    }

    @Test("what others say of themselves is passed over", arguments: [[], ["192.0.2.2"], ["unix", "203.0.113.0/24"]])
    func passedOver(proxies: [String]) async throws {
        let answer = try await send(["X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: https"], trusting: proxies)
        #expect(answer.text == "192.0.2.1 false")
        #expect(answer[Self.strictTransport] == [])
    }

    @Test("what cannot be read leaves what the socket tells")
    func malformed() async throws {
        let answer = try await send(["X-Forwarded-For: 203.0.113.7, what", "X-Forwarded-Proto: who"], trusting: ["192.0.2.1"])
        #expect(answer.text == "192.0.2.1 false")
        #expect(try await send([], trusting: ["192.0.2.1"]).text == "192.0.2.1 false")
    }

    @Test("an encrypted connection of the proxy itself says nothing twice")
    func encryptedTwice() async throws {
        let answer = try await send(["X-Forwarded-Proto: https"], trusting: ["192.0.2.1"], isEncrypted: true)
        #expect(answer.text == "192.0.2.1 true")
        #expect(answer[Self.strictTransport] == [], "the server adds it to all that it encrypts")
        #expect(try await send(["X-Forwarded-Proto: http"], trusting: ["192.0.2.1"], isEncrypted: true).text == "192.0.2.1 false")
    }
}
