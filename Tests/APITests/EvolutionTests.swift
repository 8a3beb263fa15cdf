import HTTPMessages
import JSON
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The evolution of the API")
struct EvolutionTests {
    @Test("An enum is open if a response has it, and closed if only a request does")
    func openEnums() throws {
        let schemas = try Reachability(of: OpenAPIDocument())
        #expect(schemas.inResponses.count > 100 && schemas.inRequests.count > 50)
        let (open, closed) = (try schemas.having("x-extensible-enum"), try schemas.having("enum"))
        #expect(open.count > 30 && closed.count > 5)
        #expect(open.subtracting(schemas.inResponses) == [])
        #expect(closed.intersection(schemas.inResponses) == closedInResponses)
    }

    @Test(
        "A keyword of a schema is found at any depth",
        arguments: [
            #"{"enum": ["a"]}"#, #"{"properties": {"a": {"enum": ["a"]}}}"#, #"{"items": {"enum": ["a"]}}"#,
            #"{"anyOf": [{"type": "null"}, {"enum": ["a"]}]}"#, ##"{"allOf": [{"$ref": "#/a"}, {"oneOf": [{"items": {"enum": []}}]}]}"##,
        ])
    func keywords(schema: String) throws {
        let schema = try JSONDocument(parsing: Array(schema.utf8)).root
        #expect(schema.hasKeyword("enum") && !schema.hasKeyword("const"))
    }

    @Test("A schema without a name in a response has no closed enum")
    func unnamedSchemas() throws {
        let root = try OpenAPIDocument().root
        let operations = try #require(root["paths"]).members.flatMap { $0.value.members.map(\.value) }
        let places = operations.compactMap { $0["responses"] } + ["responses", "headers"].compactMap { root["components"]?[$0] }
        #expect(places.count > 80 && places.allSatisfy { !$0.hasKeyword("enum") })
    }

    /// The direction decides which of the schemas of a group an object has.
    private let closedInResponses: Set = ["LayoutStackGroup"]

    @Test("Only the kinds of items, groups and changes, and the schemas of pages, are constants of responses")
    func constants() throws {
        let schemas = try Reachability(of: OpenAPIDocument())
        let items: Set = ["TopApp", "TopAppContent", "FoodApp", "FoodAppContent"]
        let changes = Set(["Entry", "Feed", "Item", "Layout", "List", "Placement", "Section"].map { "\($0)SyncChange" })
        let constants = try schemas.having("const").intersection(schemas.inResponses)
        #expect(constants == items.union(changes).union(["LayoutItem", "LayoutCustomGroup", "FeedPage", "SectionPage"]))
    }

    @Test("A request accepts exactly the known words of the open enum with the same name")
    func knownWords() throws {
        let schemas = try OpenAPIDocument().root["components"]?["schemas"]
        let known = schemas?.members.filter { $0.key.hasPrefix("Known") }.map { $0 } ?? []
        #expect(known.count > 5)
        for member in known {
            let open = schemas?[String(member.key.dropFirst("Known".count))]?["x-extensible-enum"]
            #expect(open != nil && open?.elements.map(\.string) == member.value["enum"]?.elements.map(\.string), "\(member.key)")
        }
    }

    @Test("Each response of a deprecated route announces its end, and responses of other routes do not")
    func deprecatedRoute() async throws {
        let since = try #require(Timestamp("2027-01-01T00:00:00Z"))
        let sunset = try #require(Timestamp("2028-01-01T00:00:00Z"))
        let routes = [
            Route(.get, "/v0/old") { _ in .now(Response(.ok, fields: [ResponseField("link", "</v0/old?cursor=a>; rel=\"next\"")])) },
            Route(.get, "/v0/old/{key}") { _ throws(Problem) in throw Problem(.notFound, detail: "The key does not exist.") },
        ].map { $0.deprecated(Deprecation(since: since, sunset: sunset, guide: "/docs")) }
        let current = Route(.get, "/v0/new") { _ in .now(Response(.ok)) }
        let application = Application(routes + [current], middleware: [.deprecation])
        for path in ["/v0/old", "/v0/old/a"] {
            let response = try await application.send("GET \(path)")
            #expect(response["deprecation"] == ["@1798761600"])
            #expect(response["sunset"] == ["Sat, 01 Jan 2028 00:00:00 GMT"])
            #expect(response["link"].last == "</docs>; rel=\"deprecation\"")
        }
        #expect(try await application.send("GET /v0/old")["link"].count == 2)
        #expect(try await application.send("GET /v0/new")["deprecation"].isEmpty)
    }
}

/// The names of the schemas that requests and responses contain.
///
/// Clients write documents and item records, and read them in the same form. Their words are those of requests.
private struct Reachability {
    private(set) var inRequests: Set<String> = []
    private(set) var inResponses: Set<String> = []
    private let document: OpenAPIDocument

    init(of document: OpenAPIDocument) throws {
        self.document = document
        let operations = document.root["paths"]?.members.flatMap { $0.value.members.map { $0 } } ?? []
        var written: Set<String> = []
        for operation in operations {
            for part in [operation.value["parameters"], operation.value["requestBody"]] { visit(part, adding: \.inRequests) }
            if operation.key == "put" { written.formUnion(references(in: operation.value["requestBody"]).compactMap(Self.schema)) }
        }
        for operation in operations { visit(operation.value["responses"], adding: \.inResponses, except: written) }
    }

    /// Returns the names of the schemas with a keyword.
    func having(_ keyword: String) throws -> Set<String> {
        let schemas = try #require(document.root["components"]?["schemas"])
        return Set(schemas.members.filter { $0.value.hasKeyword(keyword) }.map(\.key))
    }

    private mutating func visit(_ node: JSONNode?, adding names: WritableKeyPath<Self, Set<String>>, except excluded: Set<String> = []) {
        for reference in references(in: node) {
            if let name = Self.schema(reference) {
                guard !excluded.contains(name), self[keyPath: names].insert(name).inserted else { continue }
            }
            let target = reference.split(separator: "/").dropFirst().reduce(document.root) { (place: JSONNode?, key) in place?[String(key)]
            }
            visit(target, adding: names, except: excluded)
        }
    }

    private func references(in node: JSONNode?) -> [String] {
        guard let node else { return [] }
        return [node["$ref"]?.string].compactMap(\.self)
            + node.members.flatMap { references(in: $0.value) } + node.elements.flatMap { references(in: $0) }
    }

    private static func schema(_ reference: String) -> String? {
        let prefix = "#/components/schemas/"
        return reference.hasPrefix(prefix) ? String(reference.dropFirst(prefix.count)) : nil
    }
}

extension JSONNode {
    /// Whether a schema has a keyword, or one of the schemas in it, also in a list of schemas such as `oneOf`.
    fileprivate func hasKeyword(_ keyword: String) -> Bool {
        self[keyword] != nil || members.contains { $0.value.hasKeyword(keyword) } || elements.contains { $0.hasKeyword(keyword) }
    }
}
