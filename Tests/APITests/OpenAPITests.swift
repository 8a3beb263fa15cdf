import APIFiles
import Access
import EventLoop
import Feeds
import HTTPMessages
import Host
import Items
import JSON
import Layout
import Postgres
import Publishing
import Sync
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP
@testable import Server

@Suite("The OpenAPI document")
struct OpenAPITests {
    /// Returns all routes. `loop` stands for those of the server.
    private func routes(_ loop: EventLoop) throws -> [Route] {
        let metrics = Metrics(requests: RequestMetrics(), counters: { ServerCounters() }, pools: { [] }, loops: { [] })
        let catalog = CatalogService(pool: { _ in preconditionFailure("nobody asks") }, now: { .epoch })
        let pages = PageService(
            screens: ScreenMatrix(screens: []), now: { .epoch })
        let codec = CursorCodec([.init(id: 1) { $0 }], areEqual: ==)
        let sync = SyncService(pages: pages, codec: codec, pool: { _ in preconditionFailure("nobody asks") })
        let admin = AdminService(catalog, screens: ScreenMatrix(screens: []), access: Authenticator())
        let images = ImageService(on: Painters([], relay: loop))
        return Route.all(ReadinessCheck { _ in .ready }, metrics, catalog, pages, sync, admin, images)
    }

    @Test("The document has every route with its path parameters, and no others")
    func paths() async throws {
        let document = try OpenAPIDocument()
        let reported = document.root["paths"]?.members.flatMap { path in path.value.members.map { "\($0.key) \(path.key)" } } ?? []
        try await withLoop { loop in
            let routes = try routes(loop)
            #expect(Set(reported) == Set(routes.map { "\($0.method.description.lowercased()) \($0.pattern)" }))
            for route in routes {
                let parameters =
                    document.operation(route.pattern.description, route.method)?["parameters"]?.elements.compactMap(document.resolved)
                    ?? []
                let names = parameters.filter { $0["in"]?.string == "path" }.compactMap { $0["name"]?.string }
                #expect(names == route.pattern.names, "\(route.pattern)")
            }
        }
    }

    @Test("An operation is deprecated in the document if and only if its route is, for at least a year")
    func deprecated() async throws {
        let document = try OpenAPIDocument()
        try await withLoop { loop in
            for route in try routes(loop) {
                let operation = document.operation(route.pattern.description, route.method)
                #expect((operation?["deprecated"]?.bool ?? false) == (route.deprecation != nil), "\(route.pattern)")
                if let deprecation = route.deprecation {
                    #expect(deprecation.since.duration(to: deprecation.sunset) >= .seconds(365 * 86_400), "\(route.pattern)")
                }
            }
        }
    }

    @Test("The document lists every problem code of the sources")
    func codes() throws {
        let root = #filePath.replacing("/Tests/APITests/OpenAPITests.swift", with: "")
        let found = try ProcessLaunch("grep", ["-rhoE", #"code: "[A-Za-z_]+""#, "\(root)/Sources/API", "\(root)/Sources/HTTP"])
            .output(within: .seconds(30)).text
        let codes = Set(found.split(separator: "\n").compactMap { $0.split(separator: "\"").last })
        #expect(codes.count > 40)
        let listed = try OpenAPIDocument().problemCodes
        for code in codes { #expect(listed.contains(String(code)), "\(code)") }
    }

    @Test("ProblemCode lists the codes of all responses")
    func problemCode() throws {
        let document = try OpenAPIDocument()
        let codes = document.root["components"]?["schemas"]?["ProblemCode"]?["x-extensible-enum"]?.elements.compactMap(\.string) ?? []
        #expect(Set(codes) == document.problemCodes && codes.count == document.problemCodes.count)
    }

    @Test("Every JSON body has a named schema, and every object and array is typed")
    func typed() throws {
        let document = try OpenAPIDocument()
        func visit(_ node: JSONNode) {
            for type in node["content"]?.members.map({ $0 }) ?? [] where type.key.hasSuffix("json") {
                #expect(type.value["schema"]?["$ref"] != nil, "\(type.value.pointer)")
            }
            switch node["type"]?.string {
            case "object": #expect(node["properties"] != nil || node["additionalProperties"] != nil, "\(node.pointer)")
            case "array": #expect(node["items"] != nil, "\(node.pointer)")
            default: break
            }
            for member in node.members where member.key != "example" { visit(member.value) }
            for element in node.elements { visit(element) }
        }
        visit(document.root)
    }

    @Test("Every operation has a summary and a description")
    func operations() throws {
        for path in try OpenAPIDocument().root["paths"]?.members.map({ $0 }) ?? [] {
            for operation in path.value.members {
                let texts = ["summary", "description"].map { operation.value[$0]?.string ?? "" }
                #expect(texts.allSatisfy { !$0.isEmpty }, "\(operation.key) \(path.key)")
            }
        }
    }

    @Test("Every optional field states when it is omitted or required, or its default")
    func optionalFields() throws {
        let document = try OpenAPIDocument()
        var count = 0
        func visit(_ node: JSONNode) {
            let required = Set(node["required"]?.elements.compactMap(\.string) ?? [])
            for field in node["properties"]?.members.map({ $0 }) ?? [] where !required.contains(field.key) {
                count += 1
                let states = field.value["description"]?.string?.contains(/[Oo]mitted|Default:|Required/) ?? false
                #expect(states || field.value["default"] != nil, "\(field.value.pointer)")
            }
            for member in node.members where member.key != "example" { visit(member.value) }
            for element in node.elements { visit(element) }
        }
        visit(try #require(document.root["components"]?["schemas"]))
        #expect(count > 300)
    }

    @Test("The document has the parameters of lists")
    func parameters() throws {
        let document = try OpenAPIDocument()
        let parameters = document.operation("/v1/{storefront}/items")?["parameters"]?.elements.compactMap(document.resolved) ?? []
        let names = parameters.filter { $0["in"]?.string == "query" }.compactMap { $0["name"]?.string }
        #expect(Set(names) == Set(ListRequest.names) && names.count == ListRequest.names.count)
    }

    @Test("Every response with a next page has the header Link, and its operation has the parameters of pages")
    func pagination() throws {
        let document = try OpenAPIDocument()
        var count = 0
        for operation in document.root["paths"]?.members.flatMap({ $0.value.members.map(\.value) }) ?? [] {
            guard let response = operation["responses"]?["200"], let content = response["content"]?["application/json"]?["schema"],
                let schema = document.resolved(content), let name = operation["operationId"]?.string,
                schema["properties"]?["next"] != nil || name == "listSectionItems"
            else { continue }
            count += 1
            #expect(response["headers"]?["Link"] != nil, "\(name)")
            let parameters = operation["parameters"]?.elements.compactMap(document.resolved).compactMap { $0["name"]?.string } ?? []
            let expected: Set = name == "getSyncDigest" ? ["bits", "buckets"] : ["cursor", "limit"]
            #expect(expected.isSubset(of: parameters), "\(name)")
        }
        #expect(count >= 9)
    }

    @Test("Every example matches its schema, and every reference resolves")
    func examples() throws {
        let document = try OpenAPIDocument()
        var count = 0
        func visit(_ node: JSONNode) throws {
            if let reference = node["$ref"]?.string { #expect(document.resolved(node) != nil, "\(reference)") }
            if let schema = node["schema"], let example = node["example"] {
                let issues = try document.issues(example, schema)
                #expect(issues.isEmpty, "\(node.pointer): \(issues)")
                count += 1
            }
            for member in node.members where member.key != "example" { try visit(member.value) }
            for element in node.elements { try visit(element) }
        }
        try visit(document.root)
        #expect(count >= 12)
        let storefront = try #require(document.root["components"]?["schemas"]?["Storefront"])
        let issues = try document.issues(JSONDocument(parsing: Array(#"{"key":"us"}"#.utf8)).root, storefront)
        #expect(issues.count == 5)
    }

    @Test("The server serves the document with an ETag")
    func served() async throws {
        let application = Application(Route.documentation())
        let response = try await application.send("GET /openapi.json")
        #expect(response.status == .ok && response[.contentType] == ["application/json"])
        #expect(Array(response.text.utf8) == APIFiles.openAPI)
        let tag = try #require(response[.etag].first)
        #expect(try await application.send("GET /openapi.json", ["If-None-Match: \(tag)"]).status == .notModified)
    }

    @Test("The reference has an anchor for each problem code and each operation, and asks no other origin for anything")
    func reference() async throws {
        let application = Application(Route.documentation())
        let page = try await application.send("GET /docs")
        #expect(page.status == .ok && page[.contentType] == ["text/html; charset=utf-8"])
        let document = try OpenAPIDocument()
        for code in document.problemCodes {
            #expect(page.text.contains("id=\"\(ProblemDocument.documentation.dropFirst("/docs#".count))\(code)\""), "\(code)")
        }
        for path in document.root["paths"]?.members.map(\.value) ?? [] {
            for name in path.members.compactMap({ $0.value["operationId"]?.string }) {
                #expect(page.text.contains("id=\"\(name)\""), "\(name)")
            }
        }
        let loaded = page.text.matches(of: /(?:src|rel="stylesheet" href)="([^"]*)"/).map { String($0.output.1) }
        #expect(loaded == ["/docs/style.css"] && !page.text.contains("<script"))
        let style = try await application.send("GET /docs/style.css")
        #expect(style[.contentType] == ["text/css; charset=utf-8"] && !style.text.contains("url("))
    }
}
