internal import Access
internal import JSON

/// A token that somebody is to have: the body of a request for it.
struct CreateTokenRequest: JSONDecodable {
    let name: String
    let scope: TokenScope
    /// Nil until it is revoked.
    let lifetime: Duration?

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let name = object.required("name", as: String.self, .bytes(1...80))
        let scope = object.required("scope", as: ScopeWord.self)
        // Ten years, as `vitrine token create` has it.
        let seconds = object.optional("lifetimeSeconds", as: Int.self, .in(60...315_360_000))
        try object.finish()
        self.name = try name()
        self.scope = try scope().scope
        lifetime = seconds.map { .seconds($0) }
    }

    private struct ScopeWord: JSONDecodable {
        let scope: TokenScope

        init(from json: JSONReader) throws(JSONReadError) {
            scope = TokenScope.allCases[try json.place(among: TokenScope.allCases.map(\.rawValue))]
        }
    }
}
