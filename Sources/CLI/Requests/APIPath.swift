internal import HTTP
internal import Values

/// The path of a request as typed: absolute, relative to the admin API, or a URL.
struct APIPath: Equatable {
    /// The reason that a text is not a path. It completes the sentence "expected …".
    struct ParseError: Error, Equatable {
        let expectation: String
    }

    /// The prefix of a path without a leading slash.
    static let base = "/admin/v1/"

    /// The server of a URL; nil if only a path was given.
    let server: ServerURL?
    /// The path with its query, as it is sent.
    let target: String

    init(_ text: String) throws(ParseError) {
        for scalar in text.unicodeScalars where !Self.isAllowed(scalar) {
            let escape = String(scalar).utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16).uppercased() }.joined()
            throw ParseError(expectation: "'\(escape)' instead of '\(String(scalar).printable())'")
        }
        guard !text.isEmpty, !text.hasPrefix("//") else { throw ParseError(expectation: "a path such as feeds or /admin/v1/feeds") }
        guard let url = URLParts(text) else {
            server = nil
            target = text.hasPrefix("/") ? text : Self.base + text
            return
        }
        do throws(ServerURL.ParseError) { server = try ServerURL(parsing: url.server.lowercased()) } catch {
            throw ParseError(expectation: error.expectation)
        }
        target = url.target
    }

    /// Whether a path or query may contain the character. Braces of a documented path are not replaced yet, and a
    /// fragment is never sent.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "#", "<", ">", "\\", "^", "`", "{", "|", "}": false
        default: 0x21...0x7E ~= scalar.value
        }
    }
}
