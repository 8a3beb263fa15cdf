/// One problem of a document, described so that its author can fix it.
package struct JSONIssue: Sendable {
    package let code: Code
    /// The invalid value; the object that lacks a required key; or the member with an unknown key.
    package let pointer: JSONPointer
    package let position: JSONPosition
    /// The found and the expected value.
    package let message: String
    package internal(set) var hint: String?

    /// A stable identifier for programs. Each module that reads documents may add its own.
    package struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package init(stringLiteral value: StaticString) { rawValue = value.description }
    }
}

extension JSONIssue: CustomStringConvertible {
    package var description: String {
        let location = pointer.tokens.isEmpty ? "" : " (\(pointer))"
        let advice = hint.map { "; \($0)" } ?? ""
        return "line \(position.line), column \(position.column)\(location): \(message)\(advice) [\(code.rawValue)]"
    }
}

/// The errors of a text that is not valid JSON. Parsing stops at the first one.
extension JSONIssue.Code {
    package static let invalidEscape: Self = "INVALID_ESCAPE"
    package static let invalidNumber: Self = "INVALID_NUMBER"
    package static let byteOrderMark: Self = "BYTE_ORDER_MARK"
    package static let controlCharacter: Self = "CONTROL_CHARACTER"
    package static let duplicateKey: Self = "DUPLICATE_KEY"
    package static let keyTooLong: Self = "KEY_TOO_LONG"
    package static let loneSurrogate: Self = "LONE_SURROGATE"
    package static let notUTF8: Self = "NOT_UTF8"
    package static let nul: Self = "NUL"
    package static let numberOutOfRange: Self = "NUMBER_OUT_OF_RANGE"
    package static let numberTooLong: Self = "NUMBER_TOO_LONG"
    package static let tooDeep: Self = "TOO_DEEP"
    package static let tooLarge: Self = "TOO_LARGE"
    package static let tooManyValues: Self = "TOO_MANY_VALUES"
    package static let trailingComma: Self = "TRAILING_COMMA"
    package static let trailingText: Self = "TRAILING_TEXT"
    package static let unexpectedCharacter: Self = "UNEXPECTED_CHARACTER"
    package static let unexpectedEnd: Self = "UNEXPECTED_END"
}

/// The issues of valid JSON that does not match the type that reads it. All of them are collected.
extension JSONIssue.Code {
    /// A string that does not have the expected format.
    package static let invalidFormat: Self = "INVALID_FORMAT"
    package static let missingKey: Self = "MISSING_KEY"
    package static let invalidChoice: Self = "INVALID_CHOICE"
    package static let outOfRange: Self = "OUT_OF_RANGE"
    /// The same value in two places.
    package static let duplicate: Self = "DUPLICATE"
    package static let unknownKey: Self = "UNKNOWN_KEY"
    package static let invalidCount: Self = "INVALID_COUNT"
    package static let invalidType: Self = "INVALID_TYPE"
}

/// The only reason why a value cannot be written.
extension JSONIssue.Code {
    package static let notFinite: Self = "NOT_FINITE"
}
