package import Items
package import Layout

/// What a page depends on besides what is published: for whom it is.
package struct PageContext: Sendable {
    package let storefront: Storefront
    package let locales: LocaleFallback
    package let audience: Audience
    /// Nil where the client has not said what it can do: then it gets all layouts, with what they fall back on.
    package let capabilities: Set<Capability>?
    /// Nil where it has not said how large it is.
    package let screen: Screen?

    package init(
        _ storefront: Storefront, _ locales: LocaleFallback, _ audience: Audience, capabilities: Set<Capability>? = nil,
        screen: Screen? = nil
    ) {
        self.storefront = storefront
        self.locales = locales
        self.audience = audience
        self.capabilities = capabilities
        self.screen = screen
    }
}
