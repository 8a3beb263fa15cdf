import HTTPMessages
import Testing

@testable import API
@testable import HTTP

@Suite("Routes")
struct RouterTests {
    /// No route of the product starts with `/v0`. These routes are examples.
    private static let application = Application([
        .telling(.get, "/"), .telling(.get, "/v0/{storefront}/feeds/{key}"), .telling(.put, "/v0/{storefront}/feeds/{key}"),
        .telling(.get, "/v0/{storefront}/feeds/new"), .telling(.post, "/v0/us/orders"), .telling(.get, "/v0/us/{any}/last"),
        .telling(.get, "/feeds/{key}"), .telling(.post, "/feeds/{key}:show"), .telling(.post, "/feeds/{key}:end"),
        .telling(.get, "/feeds/{key}:end/{at}"),
        .telling(.options, "/own"), .telling(.get, "/own"), .telling(.get, "/many/{a}/{b}/{c}/{d}/{e}/{f}"),
    ])

    @Test(
        "A literal segment takes precedence over a parameter, and the parameter is tried if the literal leads to no route",
        arguments: [
            ("/", "/"), ("/v0/us/feeds/today", "/v0/{storefront}/feeds/{key} storefront=us key=today"),
            ("/v0/us/feeds/new", "/v0/{storefront}/feeds/new storefront=us"), ("/v0/us/feeds/last", "/v0/us/{any}/last any=feeds"),
            ("/v0/de/feeds/last", "/v0/{storefront}/feeds/{key} storefront=de key=last"),
            ("/v0/de/%66ee%64s/new", "/v0/{storefront}/feeds/new storefront=de"),
            ("/many/1/2/3/4/5/6", "/many/{a}/{b}/{c}/{d}/{e}/{f} a=1 b=2 c=3 d=4 e=5 f=6"),
        ])
    func found(path: String, response: String) async throws {
        #expect(try await Self.application.send("GET \(path)").text == response)
    }

    @Test(
        "A parameter is one segment, decoded once",
        arguments: [("a%2Fb", "a/b"), ("%252f", "%2f"), ("%C3%BC", "ü"), ("a+b", "a+b"), ("%7Bkey%7D", "{key}"), ("a%3Fb", "a?b")])
    func decoded(segment: String, value: String) async throws {
        let response = try await Self.application.send("GET /v0/de/feeds/\(segment)?key=other")
        #expect(response.text == "/v0/{storefront}/feeds/{key} storefront=de key=\(value)")
    }

    @Test(
        "A verb follows a parameter, whose value is the text before it",
        arguments: [
            ("POST /feeds/today:show", "/feeds/{key}:show key=today"), ("POST /feeds/a:b:end", "/feeds/{key}:end key=a:b"),
            ("GET /feeds/today:end/1", "/feeds/{key}:end/{at} key=today at=1"), ("GET /feeds/today:shown", "/feeds/{key} key=today:shown"),
            ("GET /feeds/today%3Ashow", "/feeds/{key} key=today:show"), ("GET /feeds/:show", "/feeds/{key} key=:show"),
        ])
    func verbs(line: String, response: String) async throws {
        #expect(try await Self.application.send(line).text == response)
    }

    @Test("A verb has its own methods")
    func methodsOfVerbs() async throws {
        let show = try await Self.application.send("GET /feeds/today:show")
        #expect(show.status == .methodNotAllowed && show[.allow] == ["POST, OPTIONS"])
    }

    @Test(
        "An unknown path gets 404: empty or extra segments, a trailing slash, another case",
        arguments: [
            "/v0/us/feeds/", "/v0/us/feeds", "/v0//feeds/a", "/v0/us/feeds/a/", "//", "/V1/us/feeds/a", "/v0/us/feeds/a/b", "/%7Bx%7D",
            "/v1%2Fus%2Ffeeds%2Fa",
        ])
    func notFound(path: String) async throws {
        let response = try await Self.application.send("GET \(path)")
        #expect(response.status == .notFound)
        #expect(response[.contentType] == ["application/problem+json"])
    }

    @Test("An unsupported or unknown method gets 405 with the allowed methods")
    func wrongMethod() async throws {
        let feed = try await Self.application.send("DELETE /v0/us/feeds/a")
        #expect(feed.status == .methodNotAllowed && feed[.allow] == ["GET, PUT, HEAD, OPTIONS"])
        let orders = try await Self.application.send("GET /v0/us/orders")
        #expect(orders.status == .methodNotAllowed && orders[.allow] == ["POST, OPTIONS"])
        #expect(try await Self.application.send("HEAD /v0/us/orders").status == .methodNotAllowed)
        #expect(try await Self.application.send("BREW /v0/us/orders").status == .methodNotAllowed)
    }

    @Test("A route for GET handles HEAD")
    func head() async throws {
        #expect(try await Self.application.send("HEAD /v0/us/feeds/new").text == "/v0/{storefront}/feeds/new storefront=us")
    }

    @Test("OPTIONS lists the methods of a path, is empty for the server, and can have its own route")
    func options() async throws {
        let feed = try await Self.application.send("OPTIONS /v0/us/feeds/a")
        #expect(feed.status == .noContent && feed[.allow] == ["GET, PUT, HEAD, OPTIONS"])
        let server = try await Self.application.send("OPTIONS *")
        #expect(server.status == .noContent && server[.allow] == [])
        #expect(try await Self.application.send("OPTIONS /nowhere").status == .notFound)
        #expect(try await Self.application.send("OPTIONS /own").text == "/own")
        #expect(try await Self.application.send("POST /own")[.allow] == ["OPTIONS, GET, HEAD"])
    }

    @Test("A body is read up to the limit of its route, and not at all without a route")
    func bodyLimits() throws {
        let route = Route(.put, "/sized", bodyLimit: .bytes(5)) { _ in .now(Response(.ok)) }
        let usual = Route(.put, "/usual", bodyLimit: .standard) { _ in .now(Response(.ok)) }
        let service = Application([route, usual, .telling(.get, "/")], bodyLimit: 1_024).service
        let limit = { (line: String, fields: [String]) throws -> Int? in
            if case .body(let limit) = service.admit(try APITests.head(line, fields), .init(address: "192.0.2.1", isEncrypted: false)) {
                limit
            } else {
                nil
            }
        }
        #expect(try limit("PUT /sized", ["Content-Length: 3"]) == 5)
        #expect(try limit("PUT /sized", []) == 0)
        #expect(try limit("GET /", ["Transfer-Encoding: chunked"]) == 0)
        #expect(try limit("PUT /usual", ["Content-Length: 3"]) == 1_024)
        #expect(try limit("PUT /nowhere", ["Content-Length: 3"]) == nil, "it is answered by its head")
    }
}
