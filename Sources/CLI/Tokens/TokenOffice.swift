internal import Access
internal import Arguments

/// Where tokens are handed out and revoked: over a server, or in its database. All answers are nil where they were interrupted.
protocol TokenOffice {
    func create(_ wish: TokenWish) throws -> IssuedToken?
    func tokens(withRevoked: Bool) throws -> [ListedToken]?
    /// The one token that a name, a prefix or an id means, as it is then.
    func revoke(_ word: String) throws -> ListedToken?
}

/// A token that somebody is to have.
struct TokenWish: Sendable {
    let name: String
    let scope: TokenScope
    /// Nil until it is revoked.
    let lifetime: Duration?
}

extension TokenOffice {
    /// The one that is meant, of those that are called so.
    static func one(of found: [ListedToken]) throws -> ListedToken {
        guard let token = found.first else {
            throw RemoteFailure(
                message: "there is no such token", advice: "vitrine token ls lists those that are not revoked.", exitCode: .notFound)
        }
        guard found.count == 1 else {
            throw RemoteFailure(
                message: "several tokens are called so", advice: "Say which: \(found.map { $0["id"] }.joined(separator: ", ")).",
                exitCode: .conflict)
        }
        return token
    }
}
