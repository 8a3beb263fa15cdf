internal import Arguments
internal import Feeds
internal import Values

/// The arguments and options that commands about feeds share. The server validates their values.
enum FeedOptions {
    static let feed = Argument("FEED", .text.completed(by: RemoteCompletions.feeds), "The feed key, such as today.")
    static let section = Argument("SECTION", .text.completed(by: RemoteCompletions.sections), "The section key.")

    static let line = Option(
        "line", .text.named("LINE").completed(by: RemoteCompletions.lines), default: "main",
        "The line of revisions: main, or the line of a takeover.")
    static let revision = Option(
        "rev", .integer(in: 1...).named("N").completed(by: RemoteCompletions.revisions),
        "The revision number. Default: the newest revision of the line.")
    /// The revision of a view, which shows the live one without this option and ``shownLine``.
    static let shownRevision = Option(
        "rev", .integer(in: 1...).named("N").completed(by: RemoteCompletions.revisions),
        "The revision number. Default: the revision that is live at the time of --at.")
    static let shownLine = Option(
        "line", .text.named("LINE").completed(by: RemoteCompletions.lines),
        "Show the newest revision of this line, such as main, instead of the live revision.")
    static let storefront = Option(
        "storefront", .text.named("KEY").completed(by: RemoteCompletions.storefronts),
        """
        The storefront, such as us. Default: the storefront of the profile, or else the first storefront by key whose default locale is \
        en, or else the first storefront by key.
        """
    )
    static let locale = Option(
        "locale", .text.named("TAG").completed(by: RemoteCompletions.locales),
        "The locale, such as en or pt-BR. Default: the locale of the profile, or else the default locale of the storefront.")
    static let at = Option(
        "at", .text.named("TIME"), "The time for which to show the result, such as 2026-12-24T18:00:00Z or +2h. Default: now.")
    static let timeZone = Option(
        "tz", .text.named("ZONE"), "The time zone of times without an offset, such as Europe/Stockholm. Default: UTC.")
    /// The same option for a command that also prints times in the zone.
    static let inputAndOutputTimeZone = Option(
        timeZone.declaration.name, .text.named("ZONE"),
        "The time zone of times without an offset, and of the times in the output, such as Europe/Stockholm. Default: UTC.")
    /// The same option for a command without an argument that is a time.
    static let outputTimeZone = Option(
        timeZone.declaration.name, .text.named("ZONE"), "The time zone of the times in the output, such as Europe/Stockholm. Default: UTC.")

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
                message:
                    "invalid \(thing) key '\(text.printable(limit: 64))': expected 1 to 64 lowercase letters, digits and single hyphens",
                advice: "a key starts with a letter and does not end with a hyphen", exitCode: .invalid)
        }
        return key
    }
}
