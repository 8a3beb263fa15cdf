import HTTPMessages
import Host
import JSON
import Security
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

/// Every cache may give a public response to any client, with its default key.
@Suite("Shared responses", .databaseForEachTest)
struct SharedResponseTests {
    /// The number of random sets of request fields for each route.
    private static let sets = 1_000

    @Test("Every GET route of the OpenAPI document has a request for each of its statuses")
    func coverage() throws {
        let document = try OpenAPIDocument()
        let documented = Self.patterns(of: document).filter { !$0.hasPrefix("/admin/") }
        #expect(Set(SharedRoute.all.map(\.pattern)) == Set(documented) && documented.count == SharedRoute.all.count)
        for route in SharedRoute.all {
            let statuses = document.operation(route.pattern)?["responses"]?.members.compactMap { Int($0.key) } ?? []
            // Each response with an ETag is also requested with a condition.
            #expect(Set(route.requests.map(\.status)) == Set(statuses).subtracting([304, 412]), "\(route.pattern)")
        }
    }

    @Test("A public response has the same bytes and fields for all other request fields", arguments: [Seeds.fresh])
    func isPublic(seed: UInt64) async throws {
        try await SharedSite.run { site in
            for route in SharedRoute.all {
                let judge = SharedResponseJudge(site)
                for request in route.requests { try await judge.checkAlone(request) }
                let repeatable = route.requests.filter(\.isRepeatable)
                var fields = OtherFields(seed: seed)
                for number in 0..<Self.sets { try await judge.check(repeatable[number % repeatable.count], with: &fields) }
            }
        }
    }

    @Test("Every public route rejects an unknown parameter and an empty part of the query, or redirects without them, if a cache stores it")
    func parameters() async throws {
        try await SharedSite.run { site in
            for route in SharedRoute.all {
                for request in route.requests where request.isStored {
                    let hasQuery = request.path.contains("?")
                    let others = hasQuery ? ["&copy=1", "&", "&&"] : ["?copy=1", "?&", "?="]
                    for query in others {
                        let response = try await site.send(.get, request.path + query, [])
                        // People follow links to this page, to which others add parameters.
                        let isPage = request.path == "/docs"
                        #expect(response.status == (isPage ? .permanentRedirect : .badRequest), "\(request.path)\(query)")
                        #expect(response["location"] == (isPage ? ["/docs"] : []), "\(request.path)\(query)")
                        #expect(response[.cacheControl] == ["no-store"], "\(request.path)\(query)")
                    }
                    guard !hasQuery else { continue }
                    let same = try await site.send(.get, "\(request.path)?", [])
                    #expect(same.status.rawValue == request.status, "\(request.path)?")
                }
            }
        }
    }

    @Test("The caching guide has the Cache-Control of every public route")
    func guide() async throws {
        let guide = #filePath.replacing("/Tests/APITests/Shared/SharedResponseTests.swift", with: "/docs/caching.md")
        let lines = String(decoding: try Files.read(guide), as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("| ") }
        let rows = lines.map { $0.split(separator: "|").map(String.init) }.filter { $0.count == 3 }
        try await SharedSite.run { site in
            var described: Set<[String]> = []
            for route in SharedRoute.all {
                for request in route.requests where request.isRepeatable {
                    let row = try #require(rows.first { $0[0].contains(Self.description(of: request, to: route)) }, "\(request.path)")
                    let control = try #require(try await site.send(.get, request.path, [])[.cacheControl].first, "\(request.path)")
                    var usual = control
                    if row[2].contains("or less") {
                        // A minute is the longest time if the responses change at scheduled times.
                        let times = control.matches(of: /=(\d+)/).compactMap { Int($0.1) }
                        #expect(!times.isEmpty && times.allSatisfy { $0 <= 60 }, "\(request.path): \(control)")
                        usual = control.replacing(/=\d+/, with: "=60")
                    }
                    #expect(row[2].contains("`\(usual)`"), "\(request.path): \(control)")
                    described.insert(row)
                }
            }
            let ours = rows.filter { $0[2].contains("`public,") || $0[2].contains("`private,") || $0[2].contains("`no-store`") }
            #expect(described == Set(ours) && ours.count > 10)
        }
    }

    /// Returns a part of the text that names the response in the first column of the guide's table.
    private static func description(of request: SharedRoute.Request, to route: SharedRoute) -> String {
        if case .nobody = request.scope {
            if request.status >= 400 { return "Other errors" }
            return request.status == 308 ? "`\(route.pattern)` with parameters (308)" : "`\(route.pattern)`"
        }
        var isPublic = true
        if case .client = request.scope { isPublic = false }
        switch (route.pattern, request.status) {
        case ("/v1/{storefront}/items/{id}", 308): return "An item with a former slug (308)"
        case ("/v1/{storefront}/items/{id}", 410): return "A withdrawn item (410)"
        case ("/v1/storefronts", _): return "The storefronts"
        case ("/v1/images/{drawing}/{id}/{role}/{image}", _), ("/v1/{storefront}/layouts/{id}", _): return "Layouts and images"
        case ("/v1/{storefront}/sync", _) where isPublic: return "pages of changes"
        case (let pattern, _) where pattern.hasPrefix("/v1/{storefront}/sync"): return isPublic ? "digests and the head" : "Sync without"
        case (let pattern, _) where !pattern.hasPrefix("/v1/{storefront}/"): return "The screens, schemas"
        default: break
        }
        if request.path.contains("form=personal") { return "A page with `form=personal`" }
        return isPublic ? "A page, the list of feeds, a list, items" : "The same requests without `locale`"
    }

    @Test("No response of the admin API is public, and scripts of other origins cannot read it", arguments: [Seeds.fresh])
    func isPrivate(seed: UInt64) async throws {
        let patterns = Self.patterns(of: try OpenAPIDocument()).filter { $0.hasPrefix("/admin/") }
        #expect(patterns.count > 15)
        try await SharedSite.run { site in
            var fields = OtherFields(seed: seed)
            for path in patterns.map({ $0.replacing(/\{[^}]+\}/, with: "1") }) {
                for _ in 0..<20 {
                    let response = try await site.send(fields.chance() ? .get : .head, path, fields.next(except: ["authorization"]))
                    #expect(response.status == .unauthorized && response[.cacheControl] == ["no-store"], "\(path)")
                    #expect(response["access-control-allow-origin"] == [], "\(path)")
                }
            }
        }
    }

    private static func patterns(of document: OpenAPIDocument) -> [String] {
        document.root["paths"]?.members.filter { $0.value["get"] != nil }.map(\.key) ?? []
    }
}

/// Compares the responses of one route with those to requests without any other field.
private final class SharedResponseJudge {
    private struct Key: Hashable {
        let path: String
        let method: Method
        let coding: [String]
        let condition: String?
    }

    private let site: SharedSite
    private var plain: [Key: Signature] = [:]
    private var tags: [[String]: String?] = [:]
    /// The responses by path and content coding, which `Accept-Encoding` may spell in many ways.
    private var coded: [[String]: Signature] = [:]

    init(_ site: SharedSite) { self.site = site }

    /// Checks the response to a request without other fields, and those with conditions.
    func checkAlone(_ request: SharedRoute.Request) async throws {
        let response = try await site.send(.get, request.path, [])
        #expect(response.status.rawValue == request.status, "\(request.path): \(response.text)")
        try checkFields(response, request)
        guard request.isRepeatable, let tag = response[.etag].first else { return }
        let unchanged = try await site.send(.get, request.path, ["If-None-Match: \(tag)"])
        #expect(unchanged.status == .notModified && unchanged.body.count == 0, "\(request.path)")
        for name in [.vary, .cacheControl, .etag, "content-language", "link"] as [FieldName] {
            #expect(unchanged[name] == response[name], "\(request.path) \(name)")
        }
        let failed = try await site.send(.get, request.path, ["If-Match: \"another\""])
        #expect(failed.status == .preconditionFailed, "\(request.path)")
        try checkFields(failed, SharedRoute.Request(path: request.path, status: 412, scope: .nobody))
    }

    func check(_ request: SharedRoute.Request, with fields: inout OtherFields) async throws {
        let method: Method = fields.chance() ? .get : .head
        let coding = fields.element(of: OtherFields.codings) ?? []
        var excluded: [String] = []
        switch request.scope {
        case .everyone: break
        case .client(let names): excluded = names
        // Only a stream reads this field, and no stream is stored.
        case .nobody: excluded = ["last-event-id"]
        }
        var tag: String?
        if fields.chance() { tag = try await self.tag(request.path, coding) }
        let key = Key(path: request.path, method: method, coding: coding, condition: tag)
        let condition = tag.map { ["If-None-Match: \($0)"] } ?? []
        let others = fields.next(except: excluded + (tag == nil ? [] : ["if-none-match"]))
        let response = try await site.send(method, request.path, coding + condition + others)
        try checkFields(response, request)
        if case .nobody = request.scope {
            #expect(response.status.rawValue == request.status, "\(request.path)")
            return
        }
        #expect(response.status.rawValue == (tag == nil ? request.status : 304), "\(request.path)")
        let signature = Signature(response)
        if plain[key] == nil { plain[key] = Signature(try await site.send(method, request.path, coding + condition)) }
        #expect(signature == plain[key], "\(method) \(request.path) \(coding + condition + others)")
        guard tag == nil else { return }
        let content = [request.path, "\(method)"] + response[.contentEncoding]
        #expect(signature == coded[content, default: signature], "\(method) \(request.path) \(coding)")
        coded[content] = signature
    }

    /// Returns the tag of a response to a request without other fields.
    private func tag(_ path: String, _ coding: [String]) async throws -> String? {
        let key = [path] + coding
        if let known = tags[key] { return known }
        let tag = try await site.send(.get, path, coding)[.etag].first
        tags[key] = .some(tag)
        return tag
    }

    /// Checks the fields that decide about caches, and those that allow scripts of any origin to read the response.
    private func checkFields(_ response: Response, _ request: SharedRoute.Request) throws {
        let control = try #require(response[.cacheControl].first, "\(request.path)")
        #expect(response[.cacheControl].count == 1, "\(request.path)")
        switch request.scope {
        case .everyone:
            #expect(control.hasPrefix("public, max-age="), "\(request.path): \(control)")
            #expect(control.contains("stale-while-revalidate=") != control.contains("immutable"), "\(request.path): \(control)")
            #expect(response[.vary] == ["accept-encoding"] || response[.vary] == [], "\(request.path): \(response[.vary])")
        case .client(let fields):
            #expect(control.hasPrefix("private, max-age="), "\(request.path): \(control)")
            #expect(response[.vary] == [(["accept-encoding"] + fields).joined(separator: ", ")], "\(request.path)")
        case .nobody: #expect(control == "no-store", "\(request.path): \(control)")
        }
        #expect(response["access-control-allow-origin"] == ["*"], "\(request.path)")
        #expect(response["access-control-expose-headers"] == ["*"], "\(request.path)")
        #expect(response["access-control-allow-credentials"] == [], "\(request.path)")
    }
}

/// The bytes and the fields of a response, without those that each request has.
private struct Signature: Equatable, CustomStringConvertible {
    let fields: [String]
    let size: Int
    /// The digest of the body, because comparing bytes one by one takes longer than all requests.
    let digest: [UInt8]

    init(_ response: Response) {
        let own: Set<FieldName> = response.isStorable ? ["date", .xRequestID] : ["date", .xRequestID, "traceparent"]
        let names = Set(response.fieldNames).subtracting(own)
        fields = ["\(response.status)"] + names.flatMap { name in response[name].map { "\(name): \($0)" } }.sorted()
        var body: [UInt8] = []
        if case .stored(let bytes) = response.body { body = bytes.array }
        (size, digest) = (body.count, Digest.sha256(body))
    }

    var description: String { "\(fields) \(size) bytes" }
}
