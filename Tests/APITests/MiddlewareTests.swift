import EventLoop
import HTTPMessages
import Host
import Telemetry
import Testing
import Values

@testable import API
@testable import HTTP
@testable import Server

@Suite("Middleware")
struct MiddlewareTests {
    private static let greeting = Route(.get, "/greeting") { _ in .now(Response(.ok, body: Body("hello"))) }

    @Test("The first middleware is the outermost, around direct and asynchronous responses, and an early response ends the chain")
    func order() async throws {
        let steps = Locked<[String]>([])
        let note = { @Sendable (step: String) in steps.withLock { $0.append(step) } }
        let around = { (name: String) in
            Middleware(
                respond: { _ in
                    note("\(name) in")
                    return nil
                }, finish: { _, _ in note("\(name) out") })
        }
        let routes = [
            Route(.get, "/now") { _ in .now(Response(.ok)) },
            Route(.get, "/later") { _ in
                .later { _ in
                    note("work")
                    return Response(.ok)
                }
            },
        ]
        let application = Application(routes, middleware: [around("a"), around("b")])
        _ = try await application.send("GET /now")
        #expect(steps.withLock { $0 } == ["a in", "b in", "b out", "a out"])
        steps.withLock { $0 = [] }
        _ = try await application.send("GET /later")
        #expect(steps.withLock { $0 } == ["a in", "b in", "work", "b out", "a out"])
        let closed = Application(routes, middleware: [Middleware(respond: { _ in .now(Response(.gone)) }), around("c")])
        steps.withLock { $0 = [] }
        #expect(try await closed.send("GET /now").status == .gone)
        #expect(steps.withLock { $0 } == [])
        let responding = Middleware(respond: { _ in .now(Response(.gone)) }, finish: { _, _ in note("own out") })
        let middle = Application(routes, middleware: [around("a"), responding, around("c")])
        #expect(try await middle.send("GET /now").status == .gone)
        #expect(steps.withLock { $0 } == ["a in", "own out", "a out"])
    }

    @Test("Every response has the request ID that its client sent")
    func requestID() async throws {
        let application = Application([Self.greeting])
        for path in ["/greeting", "/nowhere"] {
            #expect(try await application.send("GET \(path)", ["X-Request-ID: a-Z_0.9:x"])[.xRequestID] == ["a-Z_0.9:x"])
        }
        let longest = String(repeating: "a", count: 128)
        #expect(try await application.send("GET /greeting", ["X-Request-Id: \(longest)"])[.xRequestID] == [longest])
    }

    @Test(
        "An unsafe request ID is replaced by a random one",
        arguments: ["", "a b", "a\"b", "<script>", "ü", "a;b", "${jndi}", "{}", "%0d%0a", String(repeating: "a", count: 129)])
    func hostileRequestID(id: String) async throws {
        let application = Application([Self.greeting])
        let first = try #require(try await application.send("GET /greeting", ["X-Request-ID: \(id)"])[.xRequestID].first)
        let second = try #require(try await application.send("GET /greeting", ["X-Request-ID: \(id)"])[.xRequestID].first)
        #expect(first.wholeMatch(of: /[0-9a-v]{13}/) != nil && first != second)
    }

    @Test("The trace context of a request is returned, but not in a response that a cache may store")
    func trace() async throws {
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        for (control, isReturned) in [("no-store", true), ("private, max-age=60", false), ("public, max-age=60", false)] {
            let field = ResponseField(.cacheControl, control)
            for prepared in [nil, PrebuiltHeaders([field])] {
                let route = Route(.get, "/shared") { _ in
                    .now(Response(.ok, prepared: prepared, fields: prepared == nil ? [field] : []))
                }
                let response = try await Application([route]).send("GET /shared", ["traceparent: \(trace)"])
                #expect(response["traceparent"] == (isReturned ? [trace] : []), "\(control)")
                // Requests with different traces share a response only if it does not look the trace up.
                let recorded = try head("GET /shared", ["traceparent: \(trace)"]).recording()
                let peer = Request.Client(address: "192.0.2.1", isEncrypted: false)
                _ = Application([route]).service.respond(Request(head: recorded, body: [], peer: peer, deadline: .never))
                #expect(recorded.isOfDeclaredFields == !isReturned, "\(control)")
            }
        }
        let application = Application([Self.greeting])
        #expect(try await application.send("GET /greeting", ["traceparent: \(trace)"])["traceparent"] == [trace])
        #expect(try await application.send("GET /greeting")["traceparent"] == [])
    }

    @Test("Pages of any origin may read every public response, also one that a cache stored for a client without an origin")
    func origins() async throws {
        let application = Application([Self.greeting])
        for (path, fields) in [("/greeting", ["Origin: https://shop.example"]), ("/greeting", []), ("/nowhere", [])] {
            let response = try await application.send("GET \(path)", fields)
            #expect(response["access-control-allow-origin"] == ["*"])
            #expect(response["access-control-expose-headers"] == ["*"])
        }
        #expect(try await application.send("GET /admin/v1/feeds", ["Origin: https://shop.example"])["access-control-allow-origin"] == [])
        let refused = application.service.refuse(RequestError(.contentTooLarge, "too large"), try head("GET /greeting"))
        #expect(refused["access-control-allow-origin"] == ["*"])
    }

    @Test("A preflight response lists the allowed methods and headers")
    func preflight() async throws {
        let fields = [
            "Origin: https://shop.example", "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: if-none-match, x-own",
        ]
        let response = try await Application([Self.greeting]).send("OPTIONS /greeting", fields)
        #expect(response.status == .noContent)
        #expect(response["access-control-allow-methods"] == ["GET, HEAD, OPTIONS"])
        #expect(response["access-control-allow-headers"] == ["if-none-match, x-own"])
        #expect(response["access-control-max-age"] == ["86400"])
        let plain = try await Application([Self.greeting]).send("OPTIONS /greeting", ["Origin: https://shop.example"])
        #expect(plain[.allow] == ["GET, HEAD, OPTIONS"] && plain["access-control-allow-methods"] == [])
        #expect(response["access-control-allow-origin"] == ["*"])
    }

    @Test("Every response forbids framing and sniffing, and only encrypted ones have HSTS")
    func securityFields() {
        let (plain, encrypted) = Application([Self.greeting], middleware: []).service.fields
        let fields = Dictionary(uniqueKeysWithValues: plain.fields.map { ($0.name, $0.value) })
        #expect(fields["x-content-type-options"] == "nosniff" && fields["referrer-policy"] == "no-referrer")
        #expect(fields["content-security-policy"] == "default-src 'none'; style-src 'self'; frame-ancestors 'none'")
        #expect(encrypted.fields == plain.fields + [ResponseField("strict-transport-security", "max-age=31536000")])
    }

    @Test("Every response is logged with its route, a failure as a warning")
    func observed() async throws {
        let received = Locked<[Observation]>([])
        let telemetry = Telemetry(
            now: { .epoch }, sinks: [{ observation, _ in received.withLock { $0.append(observation) } }])
        let failing = Route(.get, "/v1/{name}") { _ throws(Problem) in throw Problem(.unavailable, detail: "No.") }
        let broken = Route(.get, "/broken") { _ throws(Problem) in throw Problem(.internalError, detail: "No.") }
        let application = Application([failing, broken], middleware: [.observing(RequestMetrics(), telemetry), .requestID])
        _ = try await application.send("GET /v1/secret?token=hunter2", ["X-Request-ID: mine"])
        _ = try await application.send("GET /broken")
        _ = try await application.send("GET /nowhere")
        let observations = received.withLock { $0 }
        #expect(observations.map(\.level) == [.warning, .warning, .debug] && observations.allSatisfy { $0.event == "request.completed" })
        #expect(observations.first?.requestID == "mine")
        let fields = Dictionary(uniqueKeysWithValues: observations[0].fields.map { ($0.name, $0.value) })
        #expect(fields["route"] == "/v1/{name}" && fields["path"] == "/v1/secret" && fields["status"] == 503)
        #expect(!"\(observations)".contains("hunter2"))
    }

    @Test("A long path is truncated in the log", arguments: [200, 201, 5_000])
    func longPaths(count: Int) async throws {
        let received = Locked<[Observation]>([])
        let telemetry = Telemetry(now: { .epoch }, sinks: [{ observation, _ in received.withLock { $0.append(observation) } }])
        let application = Application([Self.greeting], middleware: [.observing(RequestMetrics(), telemetry)])
        let path = "/" + String(repeating: "x", count: count - 1)
        _ = try await application.send("GET \(path)")
        let printed = count <= 200 ? path : path.prefix(200) + "…"
        let observation = try #require(received.withLock { $0.first })
        #expect(observation.fields.first { $0.name == "path" }?.value == .text(printed))
    }

    @Test(
        "A request without a response is logged without a status, and a timeout with 503",
        arguments: [(true, false), (true, true), (false, false)])
    func unanswered(hasLeft: Bool, isLasting: Bool) async throws {
        let received = Locked<[Observation]>([])
        let telemetry = Telemetry(
            now: { .epoch }, sinks: [{ observation, _ in received.withLock { $0.append(observation) } }])
        let waiting = Route(.get, "/waiting") { call in
            // This call continues after the deadline of most requests.
            let call = isLasting ? call.lasting(until: .never) : call
            return call.later { loop in
                do { try await loop.sleep(until: .never) } catch { if hasLeft { throw error } }
                return Response(.ok)
            }
        }
        let application = Application([waiting], middleware: [.observing(RequestMetrics(), telemetry)])
        let request = Request(
            head: try head("GET /waiting"), body: [], peer: .init(address: "192.0.2.1", isEncrypted: false),
            deadline: hasLeft && !isLasting ? .never : .now)
        guard case .later(_, let work) = application.service.respond(request) else {
            Issue.record("answered at once")
            return
        }
        let group = try EventLoopGroup(name: "api", count: 1)
        let task = Task(executorPreference: group.loops[0]) { await work(group.loops[0]) }
        task.cancel()
        _ = await task.value
        await group.stop()
        let observation = try #require(received.withLock { $0 }.first)
        #expect(observation.event == (hasLeft ? "request.canceled" : "request.completed"))
        #expect(observation.level == (hasLeft ? .debug : .warning))
        #expect(observation.fields.first { $0.name == "status" }?.value == (hasLeft ? nil : 503))
        #expect(observation.fields.contains { $0.name == "route" && $0.value == "/waiting" })
    }

    @Test("A failed probe is not logged as a warning, because probes arrive every second")
    func probes() async throws {
        let received = Locked<[Observation]>([])
        let telemetry = Telemetry(
            now: { .epoch }, sinks: [{ observation, _ in received.withLock { $0.append(observation) } }])
        let metrics = Metrics(requests: RequestMetrics(), counters: { ServerCounters() }, pools: { [] }, loops: { [] })
        let routes = Route.operations(ReadinessCheck { _ in .ready }, metrics)
        let application = Application(routes, middleware: [.observing(RequestMetrics(), telemetry)])
        #expect(try await application.send("GET /readyz").status == .unavailable)
        #expect(received.withLock { $0 }.map(\.level) == [.debug])
    }
}
