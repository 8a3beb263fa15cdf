import JSON

extension RejectedText {
    static let strings: [RejectedText] = [
        .init("\"", .unexpectedEnd, column: 1), .init("[\"a", .unexpectedEnd, column: 2), .init(#""\""#, .unexpectedEnd, column: 1),
        .init(#""\"#, .invalidEscape, column: 2), .init("'a'", .unexpectedCharacter, column: 1),
        .init("“a”", .unexpectedCharacter, column: 1),
        .init("\"a\"b", .trailingText, column: 4), .init("\"\n\"", .controlCharacter, column: 2),
        .init("\"a\tb\"", .controlCharacter, column: 3),
        .init("\"\u{1}\"", .controlCharacter, column: 2), .init("\"\u{1F}\"", .controlCharacter, column: 2),
        .init("\"12345678\u{8}\"", .controlCharacter, column: 10),
        .init("\"\0\"", .nul, column: 2), .init(#""\u0000""#, .nul, column: 2), .init(#""a\u0000b""#, .nul, column: 3),
        .init("\"\\n\0\"", .nul, column: 4),
        .init(#""\a""#, .invalidEscape, column: 2), .init(#""\x41""#, .invalidEscape, column: 2),
        .init(#""\'""#, .invalidEscape, column: 2),
        .init(#""\U0041""#, .invalidEscape, column: 2),
        .init(#""\0""#, .invalidEscape, column: 2), .init("\"\\\n\"", .invalidEscape, column: 2),
        .init(#""\é""#, .invalidEscape, column: 2),
        .init(#""\u""#, .invalidEscape, column: 2),
        .init(#""\u004""#, .invalidEscape, column: 2), .init(#""\u00G0""#, .invalidEscape, column: 2),
        .init(#""\u{41}""#, .invalidEscape, column: 2),
        .init(#""\u 041""#, .invalidEscape, column: 2), .init(#""\u+041""#, .invalidEscape, column: 2),
        .init("\"\\u００41\"", .invalidEscape, column: 2),
        .init(#""\ud800""#, .loneSurrogate, column: 2), .init(#""\uDFFF""#, .loneSurrogate, column: 2),
        .init(#""a\ud83dx""#, .loneSurrogate, column: 3),
        .init(#""\ud83d\n""#, .loneSurrogate, column: 2), .init(#""\ud83d\ud83d""#, .loneSurrogate, column: 2),
        .init(#""\ude00\ud83d""#, .loneSurrogate, column: 2),
        .init(#""\ud83d\u0041""#, .loneSurrogate, column: 2), .init(#""\ud83d\u00""#, .invalidEscape, column: 8),
        .init(#""\ud83d"#, .loneSurrogate, column: 2),
        .init(#"{"\ud800":1}"#, .loneSurrogate, column: 3), .init(#"{"\q":1}"#, .invalidEscape, column: 3),
    ]

    static let encodings: [RejectedText] = [
        .init("\u{FEFF}[]", .byteOrderMark, column: 1), .init(bytes: [0xEF, 0xBB, 0xBF], .byteOrderMark, column: 1),
        .init(bytes: [0xFF, 0xFE, 0x5B, 0, 0x5D, 0], .notUTF8, column: 1),
        .init(bytes: [0xFE, 0xFF, 0, 0x5B, 0, 0x5D], .notUTF8, column: 1),
        .init(bytes: [0x5B, 0, 0x5D, 0], .nul, column: 2), .init(bytes: [0x22, 0x80, 0x22], .notUTF8, column: 2),
        .init(bytes: [0x22, 0xC0, 0xAF, 0x22], .notUTF8, column: 2), .init(bytes: [0x22, 0xC1, 0xBF, 0x22], .notUTF8, column: 2),
        .init(bytes: [0x22, 0xE0, 0x80, 0xAF, 0x22], .notUTF8, column: 2),
        .init(bytes: [0x22, 0xF0, 0x80, 0x80, 0xAF, 0x22], .notUTF8, column: 2),
        .init(bytes: [0x22, 0xED, 0xA0, 0x80, 0x22], .notUTF8, column: 2),
        .init(bytes: [0x22, 0xED, 0xBF, 0xBF, 0x22], .notUTF8, column: 2),
        .init(bytes: [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .notUTF8, column: 2),
        .init(bytes: [0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22], .notUTF8, column: 2),
        .init(bytes: [0x22, 0xE2, 0x82, 0x22], .notUTF8, column: 2), .init(bytes: [0x22, 0xE9, 0x22], .notUTF8, column: 2),
        .init(bytes: [0x22, 0xC3], .notUTF8, column: 2), .init(bytes: [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], .notUTF8, column: 3),
        .init(bytes: [0x22, 0xC0, 0x80, 0x22], .notUTF8, column: 2), .init(bytes: [0x5B, 0xFF, 0x5D], .notUTF8, column: 2),
    ]
}
