internal import HTTP
internal import JSON

/// A server that commands know by a name. It says where a token is, and never has one.
struct Profile: Sendable, Equatable {
    let name: ProfileName
    var server: ServerURL
    /// From the root; nil where the token comes from elsewhere.
    var tokenFile: String?
    /// Whether a token may go to it where others can read it on the way.
    var isInsecure = false
    /// For commands that are told none.
    var storefront: String?
    var locale: String?
}

extension Profile: JSONEncodable {
    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("server", server.description)
            json.member("tokenFile", tokenFile)
            json.member("insecure", isInsecure, unless: false)
            json.member("storefront", storefront)
            json.member("locale", locale)
        }
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
        do throws(ServerURL.Mistake) { self.server = try ServerURL(parsing: text) } catch {
            throw object.refuse(.wrongType, at: "server", "expected \(error.expectation)")
        }
    }
}
