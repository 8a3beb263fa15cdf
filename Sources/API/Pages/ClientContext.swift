package import Feeds
package import HTTPMessages
internal import Items
internal import Layout
package import Resolve

/// The properties of the clients that receive a page.
struct ClientContext {
    /// The facts about the clients, without the storefront and the locale.
    var facts: ClientFacts
    /// The capabilities of the client; nil if they are unknown.
    let capabilities: Set<Capability>?
    /// The screen of the matrix that is nearest to the client's; nil if its size is unknown.
    var screen: Screen?

    /// The clients of a shared page. They evaluate targets themselves, except conditions on a platform: without a
    /// platform in the URL, none is stated.
    static var unknown: ClientContext {
        var facts = ClientFacts.nothingKnown
        facts.platform = .notSaid
        return ClientContext(facts: facts, capabilities: nil, screen: nil)
    }

    private init(facts: ClientFacts, capabilities: Set<Capability>?, screen: Screen?) {
        (self.facts, self.capabilities, self.screen) = (facts, capabilities, screen)
    }

    /// Reads `Vitrine-Client` and `Vitrine-Layout`. Malformed values are ignored, and a platform that is not one of the known
    /// ones. Otherwise clients could make any number of different pages. A fact that is not to be read is not stated.
    init(
        _ fields: HTTPFields, _ screens: ScreenMatrix, platforms: [String], reading stated: PageDependencies.StatedFacts = .all
    ) {
        facts = .nothingSaid
        if !stated.isEmpty, let client = StructuredDictionary("vitrine-client", of: fields) { facts = ClientFacts(client, reading: stated) }
        if case .said(let platform) = facts.platform, !platforms.contains(where: { $0.utf8.elementsEqual(platform.utf8) }) {
            facts.platform = .notSaid
        }
        guard let layout = StructuredDictionary("vitrine-layout", of: fields), layout.number("version") == 1 else {
            capabilities = nil
            screen = nil
            return
        }
        capabilities = layout.texts("capabilities").map { Set($0.map { Capability($0) }) }
        screen = layout.number("width").flatMap { width in layout.number("height").flatMap { screens.nearest(width: width, height: $0) } }
    }

    /// Applies the platform and the screen of the URL, which decides if a header disagrees.
    mutating func override(platform: String?, screen: Screen?) {
        if let platform { facts.platform = .said(platform) }
        if let screen { self.screen = screen }
    }
}

extension ClientFacts {
    /// Creates the facts that a client states in `Vitrine-Client`. A fact that is not to be read is not stated.
    package init(_ client: StructuredDictionary, reading stated: PageDependencies.StatedFacts = .all) {
        self = .nothingSaid
        if stated.contains(.platform) { platform = Fact(client.text("platform")) }
        if stated.contains(.os) { os = Fact(client.text("os").flatMap { Version($0) }) }
        if stated.contains(.appVersion) { appVersion = Fact(client.text("app").flatMap { Version($0) }) }
        if stated.contains(.client) { self.client = Fact(client.text("id")) }
        if stated.contains(.tags) { tags = Fact(client.texts("tags").map { Set($0) }) }
    }
}

extension ScreenMatrix {
    /// Returns the nearest screen; nil if no screen can have the size.
    func nearest(width: Double, height: Double) -> Screen? {
        guard (1...20_000).contains(width), (1...20_000).contains(height) else { return nil }
        return screens.min { $0.distance(width, height) < $1.distance(width, height) }
    }
}

extension Screen {
    fileprivate func distance(_ width: Double, _ height: Double) -> Double {
        // The width decides how many items are next to each other, the height only how many are visible.
        4 * abs(environment.width.value - width) + abs(environment.height.value - height)
    }
}
