internal import Access
internal import Arguments

/// Where tokens are handed out and revoked: over a server, or in its database. All answers are nil where they were interrupted.
protocol TokenBackend {
    func create(_ wish: TokenOptions) throws -> IssuedToken?
    func tokens(withRevoked: Bool) throws -> [TokenRow]?
    /// The one token that a name, a prefix or an id means, as it is then.
    func revoke(_ word: String) throws -> TokenRow?
}

/// A token that somebody is to have.
struct TokenOptions: Sendable {
    let name: String
    let scope: TokenScope
    /// Nil until it is revoked.
    let lifetime: Duration?
}

extension TokenBackend {
    /// The one that is meant, of those that are called so.
    static func one(of found: [TokenRow]) throws -> TokenRow {
        guard let token = found.first else {
            throw RemoteError(
                message: "there is no such token", advice: "vitrine token ls lists those that are not revoked.", exitCode: .notFound)
        }
        guard found.count == 1 else {
            throw RemoteError(
                message: "several tokens are called so", advice: "Say which: \(found.map { $0["id"] }.joined(separator: ", ")).",
                exitCode: .conflict)
        }
        return token
    }
}
