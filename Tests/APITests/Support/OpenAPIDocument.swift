import APIFiles
import HTTPMessages
import JSON

@testable import API
@testable import HTTP

/// The document of the routes, with as much of JSON Schema as it uses: what it does not know it takes for a mistake.
struct OpenAPIDocument {
    let root: JSONNode

    init() throws { root = try JSONDocument(parsing: APIFiles.openAPI, limits: JSONLimits(bytes: 1 << 21)).root }

    /// Of a GET for a pattern, unless told otherwise.
    func operation(_ pattern: String, _ method: Method = .get) -> JSONNode? {
        root["paths"]?[pattern]?[method.description.lowercased()]
    }

    /// The response itself where there is only a reference to it.
    func resolved(_ node: JSONNode) -> JSONNode? {
        guard let reference = node["$ref"]?.string else { return node }
        return reference.split(separator: "/").dropFirst().reduce(root) { (place: JSONNode?, key) in place?[String(key)] }
    }

    /// What an answer has that the document does not say.
    func mistakes(in response: Response, to pattern: String, _ method: Method = .get) throws -> [String] {
        let status = "\(response.status.rawValue)"
        guard let told = operation(pattern, method)?["responses"]?[status].flatMap(resolved) else { return ["\(pattern) has no \(status)"] }
        if response.status.hasNoBody { return told["content"] == nil ? [] : ["\(pattern) \(status) has no body"] }
        guard let type = response[.contentType].first, let schema = told["content"]?[type]?["schema"] else {
            return ["\(pattern) \(status) has no \(response[.contentType])"]
        }
        guard type.hasSuffix("json") else { return [] }
        let members = Set(told["headers"]?.members.map { $0.key.lowercased() } ?? [])
        let fields: [(FieldName, String)] = [
            ("etag", "etag"), ("link", "link"), ("content-language", "content-language"), ("retry-after", "retry-after"),
            ("allow", "allow"), ("location", "location"), ("www-authenticate", "www-authenticate"),
        ]
        let unsaid = fields.filter { !response[$0.0].isEmpty && !members.contains($0.1) }.map(\.1)
        return try mistakes(JSONDocument(parsing: Array(response.text.utf8), limits: .ownOutput).root, schema)
            + unsaid.map { "\(pattern) has no field \($0)" }
    }

    func mistakes(_ value: JSONNode, _ given: JSONNode) throws -> [String] {
        guard let schema = resolved(given) else { return ["\(given["$ref"]?.string ?? "") leads nowhere"] }
        var mistakes: [String] = []
        func expect(_ isRight: Bool, _ what: String) { if !isRight { mistakes.append("\(value.pointer): \(what)") } }
        for member in schema.members {
            let rule = member.value
            switch member.key {
            case "description", "format", "discriminator", "default", "required": break
            case "type": expect(isOf(rule.string ?? "", value), "is no \(rule.string ?? "")")
            case "const": expect(value.string == rule.string, "is not \(rule.string ?? "")")
            case "enum": expect(rule.elements.contains { $0.string == value.string }, "is none of the words")
            case "pattern": expect(try value.string?.wholeMatch(of: Regex(rule.string ?? "")) != nil, "is not \(rule.string ?? "")")
            case "minimum": expect((value.double ?? -.infinity) >= (rule.double ?? 0), "is too small")
            case "maximum": expect((value.double ?? .infinity) <= (rule.double ?? 0), "is too large")
            case "minLength": expect((value.string?.unicodeScalars.count ?? 0) >= (rule.integer ?? 0), "is too short")
            case "maxLength": expect((value.string?.unicodeScalars.count ?? 0) <= (rule.integer ?? 0), "is too long")
            case "minItems": expect(value.count >= rule.integer ?? 0, "has too few")
            case "maxItems": expect(value.count <= rule.integer ?? 0, "has too many")
            case "items": for element in value.elements { mistakes += try self.mistakes(element, rule) }
            case "properties":
                for required in schema["required"]?.elements.compactMap(\.string) ?? [] {
                    expect(value[required] != nil, "has no \(required)")
                }
                for property in value.members {
                    guard let known = rule[property.key] else {
                        expect(false, "has an unknown \(property.key)")
                        continue
                    }
                    mistakes += try self.mistakes(property.value, known)
                }
            case "additionalProperties":
                for property in value.members { mistakes += try self.mistakes(property.value, rule) }
            case "oneOf":
                let tried = try rule.elements.map { try self.mistakes(value, $0) }
                expect(tried.count { $0.isEmpty } == 1, "is not one of them: \(tried)")
            default: expect(false, "the schema has \(member.key), which nobody checks")
            }
        }
        return mistakes
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
