internal import Arguments
internal import HTTP
internal import JSON

/// A server that commands refer to by name. It has the path of a token, and never the token.
struct Profile: Sendable, Equatable {
    let name: ProfileName
    var server: ServerURL
    /// The absolute path of the token file; nil if the token comes from another source.
    var tokenFile: String?
    /// Whether the token may be sent over an unencrypted network.
    var isInsecure = false
    /// The default storefront of commands.
    var storefront: String?
    var locale: String?
}

extension Profile: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("server", server.description)
        json.member("tokenFile", tokenFile)
        json.member("insecure", isInsecure, unless: false)
        json.member("storefront", storefront)
        json.member("locale", locale)
    }

    init(_ name: ProfileName, from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let server = object.required("server", as: String.self)
        tokenFile = object.optional("tokenFile")
        isInsecure = object.value("insecure", default: false)
        storefront = object.optional("storefront")
        locale = object.optional("locale")
        try object.finish()
        self.name = name
        let text = try server()
        do throws(ServerURL.ParseError) { self.server = try ServerURL(parsing: text) } catch {
            throw object.refuse(.invalidType, at: "server", "expected \(error.expectation)")
        }
    }
}

/// The name of a profile: letters, digits, dots, hyphens and underscores, starting with a letter or a digit.
struct ProfileName: Sendable, Hashable, Comparable, CustomStringConvertible {
    let description: String

    /// The name of the profile that `vitrine dev` makes for its folder.
    static let dev = ProfileName(known: "dev")

    private init(known text: String) { description = text }

    init?(_ text: String) {
        let bytes = text.utf8
        guard 1...64 ~= bytes.count, bytes.first?.isLetterOrDigit == true,
            bytes.allSatisfy({ $0.isLetterOrDigit || [0x2D, 0x2E, 0x5F].contains($0) })
        else { return nil }
        description = text
    }

    static func < (a: ProfileName, b: ProfileName) -> Bool { a.description.utf8.lexicographicallyPrecedes(b.description.utf8) }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}

extension ValueFormat<ProfileName> {
    static var profile: ValueFormat {
        var notation = ValueFormat(
            "NAME",
            read: { text throws(InvalidValue) in
                guard let name = ProfileName(text) else {
                    throw InvalidValue(expected: "1 to 64 letters, digits, dots, hyphens and underscores")
                }
                return name
            },
            write: \.description)
        notation.completion = RemoteCompletions.profiles
        return notation
    }
}
