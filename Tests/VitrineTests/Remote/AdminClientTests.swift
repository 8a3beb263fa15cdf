import Arguments
import EventLoop
import HTTP
import HTTPMessages
import Telemetry
import TestDatabase
import Testing

@testable import CLI

@Suite("A client of the admin API")
struct AdminClientTests {
    private static let never: @Sendable (Request) -> HandlerResult = { _ in
        .later { loop in
            do { try await loop.sleep(until: .never) } catch { return Response(.unavailable) }
            return Response(.ok)
        }
    }

    @Test("A change without a response in time may have been made, which the error reports")
    func timeout() async throws {
        try await StubServer.run(Self.never) { server, client in
            var client = client
            client.timeout = .milliseconds(100)
            let sent = await #expect(throws: RemoteError.self) { _ = try await client.send(.post, "tokens", body: Array("{}".utf8)) }
            let typed = await #expect(throws: RemoteError.self) {
                _ = try await client.exchange(.post, "/admin/v1/tokens", otherFields: [], body: [])
            }
            for error in [sent, typed] {
                #expect(error?.message.hasSuffix("did not respond in time") == true)
                #expect(error?.advice == "the change may have been made; check before you try again" && error?.exitCode == .unreachable)
            }
            // A read changes nothing.
            let read = await #expect(throws: HTTPClientError.self) { _ = try await client.get("tokens") }
            #expect(read?.code == .timedOut)
            #expect(server.requests == ["POST /admin/v1/tokens", "POST /admin/v1/tokens", "GET /admin/v1/tokens"])
        }
    }

    @Test("A change that was not sent was not made")
    func unsent() async throws {
        try await withLoop { loop in
            let client = AdminClient(client: try HTTPClient(try ServerURL(parsing: "http://127.0.0.1:9"), on: loop), token: Secret("vtr_x"))
            let error = await #expect(throws: HTTPClientError.self) { _ = try await client.send(.post, "tokens") }
            #expect(error?.code == .refused && error?.mayHaveArrived == false)
        }
    }

    @Test("The feeds are listed for an unknown feed only if the error is shown")
    func choices() async throws {
        let respond: @Sendable (Request) -> HandlerResult = { request in
            let json = ResponseField(.contentType, "application/json")
            guard request.head.target.path == "/admin/v1/feeds" else {
                let problem = #"{"code": "unknownFeed", "detail": "The feed does not exist."}"#
                return .now(Response(.notFound, fields: [json], body: Body(problem)))
            }
            return .now(Response(.ok, fields: [json], body: Body(#"{"feeds": [{"feed": "today", "live": []}]}"#)))
        }
        try await StubServer.run(respond) { server, client in
            let error = try #require(await #expect(throws: RemoteError.self) { _ = try await client.get("feeds/toady") })
            #expect(error.code == "unknownFeed" && server.requests == ["GET /admin/v1/feeds/toady"])
            #expect(await client.advised(error).advice == "did you mean 'today'?")
            #expect(server.requests.last == "GET /admin/v1/feeds")
            let typed = RemoteError(try await client.exchange(.get, "/admin/v1/feeds/toady", otherFields: [], body: []))
            #expect(await client.advised(typed).advice == typed.advice && server.requests.count == 3)
        }
    }
}
