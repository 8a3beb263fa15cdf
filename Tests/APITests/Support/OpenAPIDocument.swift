import APIFiles
import HTTPMessages
import Host
import JSON
import Security

@testable import API
@testable import HTTP

/// The OpenAPI document, with the parts of JSON Schema that it uses. An unknown keyword is an issue.
struct OpenAPIDocument {
    /// A value that conforms to a schema of the document.
    private struct ConformingValue: Hashable {
        /// The offset of the schema in the document.
        let schema: Int
        let digest: [UInt8]
    }

    let root: JSONNode
    /// The components by their references.
    private let components: [String: JSONNode]
    /// The objects and arrays that were found without issues. Many pages have the same items and layouts, and checking them takes
    /// longer than rendering a page.
    private let conforming = Locked<Set<ConformingValue>>([])

    init() throws {
        root = try JSONDocument(parsing: APIFiles.openAPI, limits: JSONLimits(bytes: 1 << 21)).root
        var components: [String: JSONNode] = [:]
        if let kinds = root["components"] {
            for kind in kinds.members {
                for component in kind.value.members { components["#/components/\(kind.key)/\(component.key)"] = component.value }
            }
        }
        self.components = components
    }

    /// Returns the operation of a pattern. Default: `GET`.
    func operation(_ pattern: String, _ method: Method = .get) -> JSONNode? {
        root["paths"]?[pattern]?[method.description.lowercased()]
    }

    /// Returns the target of a reference, or the node itself if it is not a reference.
    func resolved(_ node: JSONNode) -> JSONNode? {
        guard let reference = node["$ref"]?.string else { return node }
        return components[reference]
    }

    /// All problem codes, each once.
    var problemCodes: Set<String> {
        func codes(_ node: JSONNode) -> [String] {
            let own = node["x-problem-codes"]?.elements.compactMap(\.string) ?? []
            return node.members.reduce(own) { $0 + codes($1.value) } + node.elements.flatMap { $0.kind == .object ? codes($0) : [] }
        }
        return Set(codes(root))
    }

    /// Returns the differences between a response and the document.
    func issues(in response: Response, to pattern: String, _ method: Method = .get) throws -> [String] {
        guard let operation = operation(pattern, method) else { return ["there is no \(method) \(pattern)"] }
        return try issues(in: response, of: operation)
    }

    func issues(in response: Response, of operation: JSONNode) throws -> [String] {
        let responses = operation["responses"]
        let own = responses?["\(response.status.rawValue)"].flatMap(resolved)
        if let own { return try issues(in: response, reported: own) }
        guard let common = responses?["default"].flatMap(resolved) else { return ["no such status"] }
        return try issues(in: response, reported: common) + commonIssues(in: response)
    }

    /// Returns the differences between a response and a shared response of the document, which `component` names.
    func issues(in response: Response, describedBy component: String) throws -> [String] {
        guard let reported = root["components"]?["responses"]?[component] else { return ["there is no \(component)"] }
        return try issues(in: response, reported: reported) + (component == "Problem" ? commonIssues(in: response) : [])
    }

    /// Returns the issues of a response that the document describes only as the default: a problem, with the headers of its status.
    private func commonIssues(in response: Response) -> [String] {
        var issues = response.status.rawValue < 400 ? ["no such status"] : []
        if (response.status == .methodNotAllowed) == response[.allow].isEmpty { issues.append("the field allow is wrong") }
        if (response.status == .unavailable) == response[.retryAfter].isEmpty { issues.append("the field retry-after is wrong") }
        return issues
    }

    private func issues(in response: Response, reported: JSONNode) throws -> [String] {
        let issues = fieldIssues(in: response, reported["headers"])
        if response.status.hasNoBody { return issues + (reported["content"] == nil ? [] : ["there is no body"]) }
        if reported["content"] == nil, response[.contentType].isEmpty, response.text.isEmpty { return issues }
        let type = response[.contentType].first?.split(separator: ";").first.map(String.init) ?? ""
        guard let schema = reported["content"]?[type]?["schema"] else { return issues + ["there is no \(type)"] }
        // A compressed body equals its original, which other requests get.
        guard type.hasSuffix("json"), !response.text.isEmpty, response["content-encoding"].isEmpty else { return issues }
        let body = try JSONDocument(parsing: Array(response.text.utf8), limits: .ownOutput).root
        return try issues + codeIssues(in: body, type, reported) + self.issues(body, schema)
    }

    private func codeIssues(in body: JSONNode, _ type: String, _ reported: JSONNode) -> [String] {
        guard type == "application/problem+json" else { return [] }
        let code = body["code"]?.string ?? ""
        return reported["x-problem-codes"]?.elements.contains { $0.string == code } == true ? [] : ["there is no code \(code)"]
    }

    /// Fields of HTTP and middleware, which every response may have.
    private static let common: Set = [
        "content-type", "content-encoding", "x-request-id", "vary", "cache-control", "strict-transport-security",
        "access-control-allow-origin", "access-control-expose-headers", "deprecation", "sunset",
    ]

    private func fieldIssues(in response: Response, _ reported: JSONNode?) -> [String] {
        let names = Set(response.fieldNames.map { $0.description.lowercased() })
        let known = reported?.members.map { (name: $0.key.lowercased(), isRequired: resolved($0.value)?["required"]?.bool == true) } ?? []
        return names.subtracting(Self.common).subtracting(known.map(\.name)).map { "there is no field \($0)" }
            + known.filter { $0.isRequired && !names.contains($0.name) }.map { "the field \($0.name) is missing" }
    }

    func issues(_ value: JSONNode, _ given: JSONNode) throws -> [String] {
        guard let schema = resolved(given) else { return ["\(given["$ref"]?.string ?? "") leads nowhere"] }
        guard value.count > 0 else { return try issues(value, against: schema) }
        let known = ConformingValue(schema: schema.offset, digest: Digest.sha256(Array(value.document.source[value.range])))
        if conforming.withLock({ $0.contains(known) }) { return [] }
        let issues = try self.issues(value, against: schema)
        if issues.isEmpty { _ = conforming.withLock { $0.insert(known) } }
        return issues
    }

    private func issues(_ value: JSONNode, against schema: JSONNode) throws -> [String] {
        var issues: [String] = []
        func expect(_ isRight: Bool, _ what: @autoclosure () -> String) { if !isRight { issues.append("\(value.pointer): \(what())") } }
        for member in schema.members {
            let rule = member.value
            switch member.key {
            case "description", "format", "discriminator", "default", "required": break
            case "type": expect(isOf(rule.string ?? "", value), "is no \(rule.string ?? "")")
            case "const": expect(value.string == rule.string && value.bool == rule.bool, "is not the value")
            // The server has no later values than the document, so that a response with another value is an error.
            case "enum", "x-extensible-enum": expect(rule.elements.contains { $0.string == value.string }, "is none of the words")
            case "pattern": expect(try value.string?.wholeMatch(of: Regex(rule.string ?? "")) != nil, "is not \(rule.string ?? "")")
            case "minimum": expect((value.double ?? -.infinity) >= (rule.double ?? 0), "is too small")
            case "maximum": expect((value.double ?? .infinity) <= (rule.double ?? 0), "is too large")
            case "minLength": expect((value.string?.unicodeScalars.count ?? 0) >= (rule.integer ?? 0), "is too short")
            case "maxLength": expect((value.string?.unicodeScalars.count ?? 0) <= (rule.integer ?? 0), "is too long")
            case "minItems": expect(value.count >= rule.integer ?? 0, "has too few")
            case "maxItems": expect(value.count <= rule.integer ?? 0, "has too many")
            case "minProperties": expect(value.count >= rule.integer ?? 0, "has too few")
            case "maxProperties": expect(value.count <= rule.integer ?? 0, "has too many")
            case "items": for element in value.elements { issues += try self.issues(element, rule) }
            case "properties":
                for required in schema["required"]?.elements.compactMap(\.string) ?? [] {
                    expect(value[required] != nil, "has no \(required)")
                }
                for property in value.members {
                    guard let known = rule[property.key] else {
                        let others = schema["additionalProperties"]
                        expect(others?.bool == true || others?.kind == .object, "has an unknown \(property.key)")
                        continue
                    }
                    issues += try self.issues(property.value, known)
                }
            case "additionalProperties":
                guard rule.kind == .object else { break }
                for property in value.members where schema["properties"]?[property.key] == nil {
                    issues += try self.issues(property.value, rule)
                }
            case "oneOf":
                let tried = try rule.elements.map { try self.issues(value, $0) }
                expect(tried.count { $0.isEmpty } == 1, "is not one of them: \(tried)")
            case "anyOf":
                let tried = try rule.elements.map { try self.issues(value, $0) }
                expect(tried.contains { $0.isEmpty }, "is not any of them: \(tried)")
            case "not": expect(try !self.issues(value, rule).isEmpty, "is excluded")
            default: expect(false, "the schema has \(member.key), which nobody checks")
            }
        }
        return issues
    }

    private func isOf(_ type: String, _ value: JSONNode) -> Bool {
        switch type {
        case "object": value.kind == .object
        case "array": value.kind == .array
        case "string": value.kind == .string
        case "integer": value.integer != nil
        case "number": value.kind == .number
        case "boolean": value.bool != nil
        default: false
        }
    }
}
