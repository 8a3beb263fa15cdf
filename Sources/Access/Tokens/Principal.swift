package import Values

/// Who asks for something, as a token has proved.
package struct Principal: Sendable, Equatable {
    /// Of the token.
    package let id: UUID
    package let name: String
    package let scope: TokenScope

    package init(id: UUID, name: String, scope: TokenScope) {
        self.id = id
        self.name = name
        self.scope = scope
    }
}
