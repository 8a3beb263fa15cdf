internal import Arguments
internal import Feeds
internal import Values

/// The arguments and options that commands about feeds share. The server validates their values.
enum FeedOptions {
    static let feed = Argument("FEED", .text.completed(by: RemoteCompletions.feeds), "The key of a feed, as today.")
    static let section = Argument("SECTION", .text.completed(by: RemoteCompletions.sections), "The key of a section of it.")

    static let line = Option(
        "line", .text.named("LINE").completed(by: RemoteCompletions.lines), default: "main",
        "The line of drafts: main, or another one beside it, as for a takeover.")
    static let revision = Option(
        "rev", .integer(in: 1...).named("N").completed(by: RemoteCompletions.revisions),
        "A revision, by its number; the newest of the line unless given.")
    static let storefront = Option(
        "storefront", .text.named("KEY").completed(by: RemoteCompletions.storefronts), "The storefront it is seen in, as us.")
    static let locale = Option(
        "locale", .text.named("TAG").completed(by: RemoteCompletions.locales), "The language it is seen in, as en or pt-BR.")
    static let at = Option("at", .text.named("TIME"), "The moment it is seen at, as 2026-12-24T18:00:00Z; now unless given.")
    static let timeZone = Option(
        "tz", .text.named("ZONE"), "The time zone that times without one are in, as Europe/Stockholm; UTC unless given.")

    /// Returns the command that publishes the saved draft, to be copied.
    static func publishing(_ invocation: Invocation, _ console: Console) -> String {
        "\(console.program) publish \(invocation[feed])\(flags(invocation))"
    }

    /// Returns the flags by which another command selects the same line on the same server.
    static func flags(_ invocation: Invocation) -> String {
        let line = invocation[line]
        return (line == "main" ? "" : " --line \(line)") + RemoteSession.flags(invocation)
    }

    /// Returns the key of the feed for a path. Throws if the text is not a key.
    static func path(_ invocation: Invocation) throws -> String { try key(invocation[feed], of: "feed", FeedKey.init).text }

    static func sectionPath(_ invocation: Invocation) throws -> String {
        try key(invocation[section], of: "section", SectionKey.init).text
    }

    static func key<Key: DocumentKey>(_ text: String, of thing: String, _ read: (String) -> Key?) throws -> Key {
        guard let key = read(text) else {
            throw RemoteError(
                message: "\(text.printable(limit: 64)) is no key of a \(thing)",
                advice: "A key has 1 to 64 of a to z, 0 to 9 and single hyphens between them, a letter first.", exitCode: .invalid)
        }
        return key
    }
}
