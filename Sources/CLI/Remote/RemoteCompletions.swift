internal import Access
internal import Arguments
internal import CatalogImport
internal import Feeds
internal import HTTP
import Host
internal import Items
internal import JSON
internal import Resolve
internal import Values

/// Completions of keys, requested from the server that the command would use. If it is unavailable or slow, there are
/// no candidates.
enum RemoteCompletions {
    private typealias CompletionCandidate = Arguments.CompletionCandidate

    /// The timeout of each of at most two requests. The total is less than a second, because the user waits for it.
    private static let timeout = Duration.milliseconds(400)
    private static let maxItems = 20
    private static let maxRevisions = 20
    private static let maxScanned = 200

    /// The feeds that are not on the line yet.
    static let feeds = CompletionHint.live { _, line in
        await fetched(line) { server, _ in try await feeds(of: server, but: line.arguments) }
    }

    /// The feeds of the server that `--from` names.
    static let feedsToPromote = CompletionHint.live { _, line in
        guard let source = line.flagText("from").flatMap({ ProfileName($0) }) else { return [] }
        return await fetched(line, of: source) { server, _ in try await feeds(of: server, but: line.arguments) }
    }

    /// The published feeds, separated by commas.
    static let visibleFeeds = separatedByCommas { line in
        await fetched(line, needsToken: false) { server, _ in
            let key = try await server.storefront(line.flagText("storefront"))
            let keys = try await server.getPublic("\(key)/feeds")["feeds"]?.elements.compactMap { $0["feed"]?.string } ?? []
            return keys.map { CompletionCandidate($0) }
        }
    }

    /// Completes the part after the last comma. The parts before it are not candidates again.
    private static func separatedByCommas(
        _ candidates: @escaping @Sendable (PartialInvocation) async -> [CompletionCandidate]
    ) -> CompletionHint {
        .live { prefix, line in
            let before = prefix.lastIndex(of: ",").map { String(prefix[...$0]) } ?? ""
            let given = before.split(separator: ",").map(String.init)
            return await candidates(line).filter { !given.contains($0.word) }.map { CompletionCandidate(before + $0.word, $0.description) }
        }
    }

    static let sections = CompletionHint.live { _, line in
        await fetched(line) { server, feed in
            try await draft(server, feed, line).sections.map { section in
                CompletionCandidate(
                    section["key"]?.text ?? "", section["title"].map { SectionRow.text($0, in: server.profile?.locale) } ?? "")
            }
        }
    }

    /// The items and the cards that are pinned to the section on the line. If the user has typed something, their bare
    /// names are included.
    static let pins = CompletionHint.live { prefix, line in
        guard let section = line.arguments.dropFirst().first else { return [] }
        return await fetched(line) { server, feed in
            try await draft(server, feed, line).pins(of: section).flatMap { pin in
                let bareName = pin.card ?? pin.name.split(separator: ":").last.map(String.init) ?? pin.name
                return (prefix.isEmpty || bareName == pin.name ? [pin.name] : [pin.name, bareName]).map {
                    CompletionCandidate($0, "slot \(pin.slot)")
                }
            }
        }
    }

    static let lines = CompletionHint.live { _, line in
        await fetched(line) { server, feed in
            try RemoteValue<FeedState>(try await server.get("feeds/\(feed)")).lines.map { revision in
                CompletionCandidate(revision.line, "revision \(revision.number)")
            }
        }
    }

    /// The revisions of the line that is named, newest first.
    static let revisions = CompletionHint.live { _, line in
        await fetched(line) { server, feed in
            let query: AdminClient.Query = [(name: "line", value: line.flagText(lineName)), (name: "limit", value: "\(maxRevisions)")]
            return try await server.page("feeds/\(feed)/revisions", "revisions", query, of: FeedRevision.self).elements.map { revision in
                CompletionCandidate("\(revision.number)", "\(revision.line), saved \(revision.savedAt.toTheSecond)")
            }
        }
    }

    static let publications = CompletionHint.live { _, line in
        await fetched(line) { server, feed in
            try await server.all("feeds/\(feed)/publications", "publications", of: Publication.self)
                .map { publication in
                    let end = publication.until.map { " until \($0.brief)" } ?? ""
                    let start = "from \(publication.from.brief)"
                    return CompletionCandidate(
                        "\(publication.id)", "revision \(publication.revision), \(publication.layer.rawValue), \(start)\(end)")
                }
        }
    }

    static let experiments = CompletionHint.live { _, line in
        await fetched(line) { server, _ in
            try await server.page("experiments", "experiments", of: RegisteredExperiment.self).elements.map { registered in
                CompletionCandidate(registered.key, registered.experiment.state.name)
            }
        }
    }

    /// The arms of the experiment on the line.
    static let arms = CompletionHint.live { _, line in
        await fetched(line) { server, _ in
            let key = line.arguments.first?.percentEncoded() ?? ""
            let registered: RegisteredExperiment = try await server.state("experiments/\(key)").value()
            return registered.experiment.arms.keys.sorted().map { CompletionCandidate($0) }
        }
    }

    static let storefronts = CompletionHint.live { _, line in await openStorefronts(line) }

    /// The storefronts, separated by commas.
    static let storefrontList = separatedByCommas(openStorefronts)

    private static let openStorefronts: @Sendable (PartialInvocation) async -> [CompletionCandidate] = { line in
        await fetched(line, needsToken: false) { server, _ in
            try await server.storefronts().map { CompletionCandidate($0.key) }
        }
    }

    /// All storefronts, open or closed.
    static let allStorefronts = CompletionHint.live { _, line in
        await fetched(line) { server, _ in
            try await server.allStorefronts().map { CompletionCandidate($0.record.key, $0.closedAt == nil ? "" : "closed") }
        }
    }

    static let locales = CompletionHint.live { _, line in
        await fetched(line, needsToken: false) { server, _ in
            Set(try await server.storefronts().flatMap(\.locales).map(\.text)).sorted().map { CompletionCandidate($0) }
        }
    }

    static let categories = CompletionHint.live { _, line in
        await fetched(line) { server, _ in
            try await server.elements("categories", "categories", of: CategoryRow.self).map {
                CompletionCandidate($0.key, $0.shownTitle)
            }
        }
    }

    static let platforms = CompletionHint.live { _, line in
        await fetched(line) { server, _ in
            try await server.platforms().map { CompletionCandidate($0.key, $0.isServed ? "" : "not served") }
        }
    }

    static let ratingSchemes = CompletionHint.live { _, line in
        await fetched(line) { server, _ in try await server.ratingSchemes().map { CompletionCandidate($0.key, $0.shownLabels) } }
    }

    /// The charts of the storefront on the line.
    static let charts = CompletionHint.live { _, line in
        guard let storefront = line.flagText("storefront").flatMap({ IdentifierFormat.storefront.fits($0) ? $0 : nil }) else { return [] }
        return await fetched(line) { server, _ in
            try await server.charts(of: storefront).map { CompletionCandidate($0.name, "\($0.itemCount) items") }
        }
    }

    /// The items with a slug prefix.
    static let items = itemKeys { _ in true }
    static let withdrawnItems = itemKeys(withWithdrawn: true, where: \.isWithdrawn)

    private static func itemKeys(
        withWithdrawn: Bool = false, where isOffered: @escaping @Sendable (StoredItem.Summary) -> Bool
    ) -> CompletionHint {
        .live { prefix, line in
            let kind = ItemKind.allCases.first { prefix.hasPrefix("\($0.rawValue.lowercased()):") }
            let slug = String(kind == nil ? prefix[...] : prefix.drop { $0 != ":" }.dropFirst())
            guard slug.utf8.count >= 2 else { return ItemKind.allCases.map { CompletionCandidate("\($0.rawValue.lowercased()):") } }
            return await fetched(line) { server, _ in
                let query: AdminClient.Query = [
                    (name: "slugPrefix", value: slug), (name: "kind", value: kind?.rawValue),
                    (name: "includeWithdrawn", value: "\(withWithdrawn)"),
                    (name: "limit", value: "\(withWithdrawn ? maxScanned : maxItems)"),
                ]
                let items = try await server.page("items", "items", query, of: StoredItem.Summary.self).elements.map(\.content)
                return items.filter(isOffered).prefix(maxItems).map { item in
                    CompletionCandidate(kind == nil ? item.slug : CatalogItem.name(kind: item.kind, slug: item.slug), item.title)
                }
            }
        }
    }

    /// The tokens by name, or by prefix if the name is not a single word.
    static let tokens = CompletionHint.live { _, line in
        guard line.flagText(TokenCommands.direct.declaration.name) == nil else { return [] }
        return await fetched(line) { server, _ in
            try await server.all("tokens", "tokens", of: TokenRecord.self).map { token in
                let (name, prefix) = (token.name, token.prefix)
                return CompletionCandidate(
                    name.contains(" ") ? prefix : name, "\(token.scope.rawValue), \(name.contains(" ") ? name : prefix)")
            }
        }
    }

    static let profiles = CompletionHint.live { _, _ in
        do {
            let environment = SystemInfo.environment
            let dev = try DevProfile(environment).read().map { [$0] } ?? []
            return (dev + (try ProfileFile(environment)?.read().sorted ?? [])).map {
                CompletionCandidate($0.name.description, $0.server.description)
            }
        } catch {
            return []
        }
    }

    private static func feeds(of server: AdminClient, but given: [String]) async throws -> [CompletionCandidate] {
        try await server.page("feeds", "feeds", of: FeedSummary.self).elements.filter { !given.contains($0.key) }.map { feed in
            let live = feed.live.isEmpty ? "not published" : "revision \(feed.live.words { "\($0.revision)" }) is live"
            return CompletionCandidate(feed.key, feed.archivedAt == nil ? live : "archived")
        }
    }

    /// Returns the draft for the command line: a revision of the feed, or the draft of one of its lines.
    private static func draft(_ server: AdminClient, _ feed: String, _ line: PartialInvocation) async throws -> FeedDraft {
        if let revision = line.flagText(FeedOptions.revision.declaration.name).flatMap({ Int($0) }) {
            let response: RemoteDraft = try await server.state("feeds/\(feed)/revisions/\(revision)").value()
            return FeedDraft(response.document ?? .null)
        }
        return try await server.feedDraft(of: feed, on: line.flagText(lineName) ?? "main")
    }

    /// The name of the line option, the same for the optional one and the one with a default.
    private static var lineName: String { FeedOptions.line.declaration.name }

    /// Runs `body` with the feed on the line, which is always the first argument.
    private static func fetched(
        _ line: PartialInvocation, of profile: ProfileName? = nil, needsToken: Bool = true,
        _ body: @escaping @Sendable (AdminClient, _ feed: String) async throws -> [CompletionCandidate]
    ) async -> [CompletionCandidate] {
        let console = Console(program: line.root.name, environment: SystemInfo.environment)
        let feed = FeedKey(line.arguments.first ?? "")?.text ?? ""
        do {
            return try RemoteSession(console: console).run(completing: line, of: profile, needsToken: needsToken) { server in
                var server = server
                server.timeout = timeout
                return try await body(server, feed)
            } ?? []
        } catch {
            return []
        }
    }
}
