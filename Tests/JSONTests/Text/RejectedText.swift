import JSON
import Testing

/// An invalid JSON text, the code of its issue and the column of its position.
struct RejectedText: Sendable, CustomTestStringConvertible {
    let source: [UInt8]
    let code: JSONIssue.Code
    let column: Int

    init(_ text: String, _ code: JSONIssue.Code, column: Int) {
        self.init(bytes: Array(text.utf8), code, column: column)
    }

    init(bytes: [UInt8], _ code: JSONIssue.Code, column: Int) {
        source = bytes
        self.code = code
        self.column = column
    }

    var testDescription: String { "\(String(decoding: source, as: UTF8.self)) at \(column): \(code.rawValue)" }
}

extension RejectedText {
    static let structures: [RejectedText] = [
        .init("", .unexpectedEnd, column: 1), .init(" ", .unexpectedEnd, column: 2), .init("[", .unexpectedEnd, column: 2),
        .init("[1", .unexpectedEnd, column: 3), .init("[1,", .unexpectedEnd, column: 4), .init("]", .unexpectedCharacter, column: 1),
        .init("[1,]", .trailingComma, column: 3), .init("[1 , ]", .trailingComma, column: 4), .init("[,]", .unexpectedCharacter, column: 2),
        .init("[,1]", .unexpectedCharacter, column: 2), .init("[1,,2]", .unexpectedCharacter, column: 4),
        .init("[1 2]", .unexpectedCharacter, column: 4), .init("[1;2]", .unexpectedCharacter, column: 3),
        .init("[1}", .unexpectedCharacter, column: 3),
        .init("[1:2]", .unexpectedCharacter, column: 3), .init("[][]", .trailingText, column: 3), .init("[]]", .trailingText, column: 3),
        .init("1 2", .trailingText, column: 3), .init("{}x", .trailingText, column: 3), .init("[]//", .trailingText, column: 3),
        .init("[1]\0", .nul, column: 4), .init("/**/[]", .unexpectedCharacter, column: 1), .init("[#\n]", .unexpectedCharacter, column: 2),
        .init("[\u{A0}]", .unexpectedCharacter, column: 2), .init("[\u{2060}]", .unexpectedCharacter, column: 2),
        .init("[\u{0C}]", .unexpectedCharacter, column: 2), .init("[\u{0B}1]", .unexpectedCharacter, column: 2),
        .init("<.>", .unexpectedCharacter, column: 1), .init("[<null>]", .unexpectedCharacter, column: 2),
        .init("*", .unexpectedCharacter, column: 1),
        .init("[\"a\",\n4\n,1,", .unexpectedEnd, column: 4), .init("[[[[", .unexpectedEnd, column: 5),
        .init("é", .unexpectedCharacter, column: 1),
        .init("[\"é\",x]", .unexpectedCharacter, column: 6),
    ]

    static let objects: [RejectedText] = [
        .init("{", .unexpectedEnd, column: 2), .init("}", .unexpectedCharacter, column: 1), .init("{\"a\"", .unexpectedEnd, column: 5),
        .init("{\"a\":", .unexpectedEnd, column: 6), .init("{\"a\":1", .unexpectedEnd, column: 7),
        .init("{\"a\":1,", .unexpectedEnd, column: 8),
        .init("{\"a\":1,}", .trailingComma, column: 7), .init("{\"a\":1,,\"b\":2}", .unexpectedCharacter, column: 8),
        .init("{,}", .unexpectedCharacter, column: 2), .init("{a:1}", .unexpectedCharacter, column: 2),
        .init("{'a':1}", .unexpectedCharacter, column: 2),
        .init("{1:1}", .unexpectedCharacter, column: 2), .init("{null:1}", .unexpectedCharacter, column: 2),
        .init("{[]:1}", .unexpectedCharacter, column: 2),
        .init("{\"a\" 1}", .unexpectedCharacter, column: 6), .init("{\"a\",1}", .unexpectedCharacter, column: 5),
        .init("{\"a\"}", .unexpectedCharacter, column: 5),
        .init("{\"a\":}", .unexpectedCharacter, column: 6), .init("{\"a\"::1}", .unexpectedCharacter, column: 6),
        .init("{:1}", .unexpectedCharacter, column: 2),
        .init("{\"a\":1 \"b\":2}", .unexpectedCharacter, column: 8), .init("{\"a\":1]", .unexpectedCharacter, column: 7),
        .init("{\"a\":1}}", .trailingText, column: 8), .init("{\"a\":1}#", .trailingText, column: 8),
        .init("{\"a\":'b'}", .unexpectedCharacter, column: 6),
        .init("{\"a\":1,\"a\":1}", .duplicateKey, column: 8), .init(#"{"a":1,"\u0061":2}"#, .duplicateKey, column: 8),
        .init(#"{"\u00e9":1,"é":2}"#, .duplicateKey, column: 13), .init(#"{"":1,"":2}"#, .duplicateKey, column: 7),
        .init(#"{"x":{"b":1,"c":[],"b":1}}"#, .duplicateKey, column: 20), .init(#"{"a\/b":1,"a/b":1}"#, .duplicateKey, column: 11),
        .init("{\"a\":1;\"b\":2}", .unexpectedCharacter, column: 7), .init("{\"a\0\":1}", .nul, column: 4),
        .init(#"{"\u0000":1}"#, .nul, column: 3),
    ]

    static let numbers: [RejectedText] = [
        .init("-", .invalidNumber, column: 2), .init("+1", .unexpectedCharacter, column: 1), .init("++1", .unexpectedCharacter, column: 1),
        .init("--1", .invalidNumber, column: 2), .init("-a", .invalidNumber, column: 2), .init("01", .invalidNumber, column: 1),
        .init("-01", .invalidNumber, column: 2),
        .init("00", .invalidNumber, column: 1), .init("[-012]", .invalidNumber, column: 3), .init(".5", .unexpectedCharacter, column: 1),
        .init("-.5", .invalidNumber, column: 2),
        .init("1.", .invalidNumber, column: 3), .init("[1.]", .invalidNumber, column: 4), .init("1.e1", .invalidNumber, column: 3),
        .init("1..2", .invalidNumber, column: 3),
        .init("1.2.3", .trailingText, column: 4), .init("1e", .invalidNumber, column: 3), .init("1e+", .invalidNumber, column: 4),
        .init("1E-", .invalidNumber, column: 4),
        .init("1ee2", .invalidNumber, column: 3), .init("1e1.5", .trailingText, column: 4),
        .init("[1e1e1]", .unexpectedCharacter, column: 5),
        .init("0x10", .trailingText, column: 2), .init("[0x1]", .unexpectedCharacter, column: 3), .init("1_000", .trailingText, column: 2),
        .init("[1 000]", .unexpectedCharacter, column: 4), .init("1,5", .trailingText, column: 2), .init("1a", .trailingText, column: 2),
        .init("NaN", .unexpectedCharacter, column: 1), .init("[-NaN]", .invalidNumber, column: 3),
        .init("Infinity", .unexpectedCharacter, column: 1),
        .init("-Infinity", .invalidNumber, column: 2), .init("nan", .unexpectedCharacter, column: 1),
        .init("inf", .unexpectedCharacter, column: 1),
        .init("[１]", .unexpectedCharacter, column: 2), .init("1e999", .numberOutOfRange, column: 1),
        .init("[-1e999]", .numberOutOfRange, column: 2),
        .init("1.8e308", .numberOutOfRange, column: 1), .init("1e99999999999999999999", .numberOutOfRange, column: 1),
        .init("−1", .unexpectedCharacter, column: 1),
        .init(String(repeating: "9", count: 129), .numberTooLong, column: 1),
    ]

    static let literals: [RejectedText] = [
        .init("nul", .unexpectedCharacter, column: 1), .init("nulL", .unexpectedCharacter, column: 1),
        .init("nulll", .unexpectedCharacter, column: 1),
        .init("Null", .unexpectedCharacter, column: 1), .init("None", .unexpectedCharacter, column: 1),
        .init("tru", .unexpectedCharacter, column: 1),
        .init("True", .unexpectedCharacter, column: 1), .init("truefalse", .unexpectedCharacter, column: 1),
        .init("fals", .unexpectedCharacter, column: 1),
        .init("FALSE", .unexpectedCharacter, column: 1), .init("undefined", .unexpectedCharacter, column: 1),
        .init("[true1]", .unexpectedCharacter, column: 2),
        .init("yes", .unexpectedCharacter, column: 1), .init("null null", .trailingText, column: 6), .init("\0", .nul, column: 1),
    ]
}
