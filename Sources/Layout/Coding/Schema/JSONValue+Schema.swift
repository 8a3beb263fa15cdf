package import JSON

// The keywords of JSON Schema 2020-12 that the schemas of curators' documents use.

extension JSONValue {
    package typealias Property = (name: String, schema: JSONValue)

    package static func members(_ members: (String, JSONValue)...) -> JSONValue {
        .object(members.map { Member(key: $0.0, value: $0.1) })
    }

    /// Returns the schema of an object without other members.
    package static func closed(_ properties: [Property], required: [String] = [], _ more: (String, JSONValue)...) -> JSONValue {
        var members = [Member(key: "type", value: .string("object"))]
        if !properties.isEmpty {
            members.append(Member(key: "properties", value: .object(properties.map { Member(key: $0.name, value: $0.schema) })))
        }
        if !required.isEmpty { members.append(Member(key: "required", value: .strings(required))) }
        members.append(Member(key: "additionalProperties", value: .bool(false)))
        return .object(members + more.map { Member(key: $0.0, value: $0.1) })
    }

    /// Returns the schema of an object with exactly one of these members.
    package static func choice(_ properties: [Property]) -> JSONValue {
        closed(properties, ("minProperties", .integer(1)), ("maxProperties", .integer(1)))
    }

    package static func keywords(_ keywords: [String]) -> JSONValue { members(("enum", .strings(keywords))) }

    package static func keywords<Word: RawRepresentable<String> & CaseIterable>(of type: Word.Type) -> JSONValue {
        keywords(type.allCases.map(\.rawValue))
    }

    package static func strings(_ strings: [String]) -> JSONValue { .array(strings.map { .string($0) }) }

    package static func constant(_ value: JSONValue) -> JSONValue { members(("const", value)) }

    package static func number(_ range: ClosedRange<Double>) -> JSONValue {
        members(("type", .string("number")), ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound)))
    }

    package static func integer(_ range: ClosedRange<Int>) -> JSONValue {
        members(("type", .string("integer")), ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)))
    }

    package static func integer(from least: Int) -> JSONValue { members(("type", .string("integer")), ("minimum", .integer(least))) }

    package static var bool: JSONValue { members(("type", .string("boolean"))) }

    package static func list(of element: JSONValue, _ more: (String, JSONValue)...) -> JSONValue {
        .object(
            [Member(key: "type", value: .string("array")), Member(key: "items", value: element)]
                + more.map { Member(key: $0.0, value: $0.1) })
    }

    package static func pattern(_ pattern: String) -> JSONValue {
        members(("type", .string("string")), ("pattern", .string(pattern)))
    }

    /// Returns the schema of an object whose keys are data. The object is never empty.
    package static func map(from key: JSONValue, to value: JSONValue) -> JSONValue {
        members(
            ("type", .string("object")), ("propertyNames", key), ("additionalProperties", value), ("minProperties", .integer(1)))
    }

    package static func pair(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
        members(
            ("type", .string("array")), ("prefixItems", .array([first, second])), ("minItems", .integer(2)), ("maxItems", .integer(2)))
    }

    package static func any(of schemas: JSONValue...) -> JSONValue { members(("anyOf", .array(schemas))) }

    package static func reference(_ name: String) -> JSONValue { members(("$ref", .string("#/$defs/\(name)"))) }
}
