package import JSON

/// A validator for the subset of JSON Schema that the schemas of this repository use. An unknown keyword fails the test.
package struct SchemaValidator {
    package struct UnknownKeyword: Error { let word: String }

    private let root: JSONValue

    package init(_ schema: JSONValue) { root = schema }

    package func accepts(_ value: JSONValue) throws -> Bool { try accepts(value, root) }

    private func accepts(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
        guard case .object(let members) = schema else { throw UnknownKeyword(word: "\(schema)") }
        for member in members where try !accepts(value, member.key, member.value, beside: schema) { return false }
        return true
    }

    private func accepts(_ value: JSONValue, _ keyword: String, _ operand: JSONValue, beside schema: JSONValue) throws -> Bool {
        switch keyword {
        case "$schema", "$id", "$defs", "title", "description": true
        case "$ref": try accepts(value, definition(operand))
        case "type": value.hasType(operand.text ?? "")
        case "const": value == operand
        case "enum": operand.list.contains(value)
        case "anyOf": try operand.list.contains { try accepts(value, $0) }
        case "allOf": try operand.list.allSatisfy { try accepts(value, $0) }
        case "oneOf": try operand.list.count { try accepts(value, $0) } == 1
        case "not": try !accepts(value, operand)
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
            value.number.map { $0.keeps(keyword, operand.number ?? .nan) } ?? true
        case "minLength": value.text.map { Double($0.unicodeScalars.count) >= operand.number ?? 0 } ?? true
        case "maxLength": value.text.map { Double($0.unicodeScalars.count) <= operand.number ?? 0 } ?? true
        case "pattern": try value.text.map { try $0.matches(operand.text ?? "") } ?? true
        case "prefixItems": try zip(value.list, operand.list).allSatisfy { try accepts($0, $1) }
        case "items": try value.list.allSatisfy { try accepts($0, operand) }
        case "uniqueItems": value.list.indices.allSatisfy { !value.list[..<$0].contains(value.list[$0]) }
        case "minItems": !value.isArray || Double(value.list.count) >= operand.number ?? 0
        case "maxItems": !value.isArray || Double(value.list.count) <= operand.number ?? 0
        case "minProperties": !value.isObject || Double(value.members.count) >= operand.number ?? 0
        case "maxProperties": !value.isObject || Double(value.members.count) <= operand.number ?? 0
        case "dependentSchemas":
            try operand.members.allSatisfy { rule in try value[rule.key] == nil || accepts(value, rule.value) }
        case "required": !value.isObject || operand.list.allSatisfy { value[$0.text ?? ""] != nil }
        case "dependentRequired":
            operand.members.allSatisfy { rule in value[rule.key] == nil || rule.value.list.allSatisfy { value[$0.text ?? ""] != nil } }
        case "properties":
            try operand.members.allSatisfy { property in try value[property.key].map { try accepts($0, property.value) } ?? true }
        case "propertyNames": try value.members.allSatisfy { try accepts(.string($0.key), operand) }
        case "additionalProperties":
            try value.members.filter { schema["properties"]?[$0.key] == nil }.allSatisfy { member in
                if case .bool(let isAllowed) = operand { isAllowed } else { try accepts(member.value, operand) }
            }
        default: throw UnknownKeyword(word: keyword)
        }
    }

    private func definition(_ reference: JSONValue) throws -> JSONValue {
        let prefix = "#/$defs/"
        guard let text = reference.text, text.hasPrefix(prefix), let found = root["$defs"]?[String(text.dropFirst(prefix.count))] else {
            throw UnknownKeyword(word: "\(reference)")
        }
        return found
    }
}

extension Double {
    fileprivate func keeps(_ keyword: String, _ bound: Double) -> Bool {
        switch keyword {
        case "minimum": self >= bound
        case "maximum": self <= bound
        case "exclusiveMaximum": self < bound
        default: self > bound
        }
    }
}

extension String {
    /// Whether the text matches, scalar by scalar, as JSON Schema defines its patterns.
    fileprivate func matches(_ pattern: String) throws -> Bool {
        try Regex(pattern).matchingSemantics(.unicodeScalar).firstMatch(in: self) != nil
    }
}

extension JSONValue {
    fileprivate var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    fileprivate var isArray: Bool { if case .array = self { true } else { false } }

    fileprivate var isObject: Bool { if case .object = self { true } else { false } }

    fileprivate func hasType(_ type: String) -> Bool {
        switch (type, self) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("number", .number), ("number", .integer),
            ("integer", .integer), ("null", .null):
            true
        default: false
        }
    }
}
