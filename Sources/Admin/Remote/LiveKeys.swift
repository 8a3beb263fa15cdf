internal import Catalog
internal import Commands
internal import Feeds
internal import HTTP
import Host
internal import JSON

/// Keys that a shell offers while a command is typed, asked of the server that the command would ask. Where that is not there, or takes
/// its time, nothing is offered.
enum LiveKeys {
    private typealias Candidate = Commands.Candidate

    /// A person who presses a key does not wait for longer.
    private static let patience = Duration.milliseconds(150)
    private static let mostItems = 20
    private static let mostLookedAt = 200

    static let feeds = CompletionHint.live { _, line in
        await asked(line) { server, _ in
            try await server.get("feeds")["feeds"]?.elements.map { feed -> Candidate in
                let live = feed["live"]?["revision"]?.integer.map { "revision \($0) is live" }
                return Candidate(feed["feed"]?.string ?? "", live ?? "nothing is live")
            } ?? []
        }
    }

    static let sections = CompletionHint.live { _, line in
        await asked(line) { server, feed in
            FeedDraft(try await document(server, feed, line)).sections.map { section in
                Candidate(
                    section["key"]?.text ?? "", section["title"].map { ListedSection.text($0, in: server.profile?.locale) } ?? "")
            }
        }
    }

    static let lines = CompletionHint.live { _, line in
        await asked(line) { server, feed in
            try await server.get("feeds/\(feed)")["lines"]?.elements.map { line in
                Candidate(line["line"]?.string ?? "", "revision \(line["revision"]?.integer ?? 0)")
            } ?? []
        }
    }

    static let storefronts = CompletionHint.live { _, line in
        await asked(line) { server, _ in
            try await server.shown("storefronts")["storefronts"]?.elements.map { Candidate($0["key"]?.string ?? "") } ?? []
        }
    }

    /// By the beginnings of their slugs.
    static let items = itemKeys { _ in true }
    static let withdrawnItems = itemKeys(withWithdrawn: true) { $0["isWithdrawn"]?.bool == true }

    private static func itemKeys(
        withWithdrawn: Bool = false, where isOffered: @escaping @Sendable (JSONNode) -> Bool
    ) -> CompletionHint {
        .live { prefix, line in
            let kind = ItemKind.allCases.first { prefix.hasPrefix("\($0.rawValue.lowercased()):") }
            let slug = String(kind == nil ? prefix[...] : prefix.drop { $0 != ":" }.dropFirst())
            guard slug.utf8.count >= 2 else { return ItemKind.allCases.map { Candidate("\($0.rawValue.lowercased()):") } }
            return await asked(line) { server, _ in
                let query: RemoteServer.Query = [
                    (name: "q", value: slug), (name: "kind", value: kind?.rawValue), (name: "withdrawn", value: "\(withWithdrawn)"),
                    (name: "limit", value: "\(withWithdrawn ? mostLookedAt : mostItems)"),
                ]
                return try await server.get("items", query)["items"]?.elements.filter(isOffered).prefix(mostItems).map { item in
                    let (word, title) = (item["slug"]?.string ?? "", item["title"]?.string ?? "")
                    return Candidate(kind == nil ? word : CatalogItem.name(kind: kind?.rawValue, slug: word), title)
                } ?? []
            }
        }
    }

    /// By their names, or by their prefixes where a name is no word.
    static let tokens = CompletionHint.live { _, line in
        guard line.flagText(TokenCommands.inDatabase.declaration.name) == nil else { return [] }
        return await asked(line) { server, _ in
            try await server.get("tokens")["tokens"]?.elements.map { token in
                let (name, prefix) = (token["name"]?.string ?? "", token["prefix"]?.string ?? "")
                return Candidate(
                    name.contains(" ") ? prefix : name, "\(token["scope"]?.string ?? ""), \(name.contains(" ") ? name : prefix)")
            } ?? []
        }
    }

    static let profiles = CompletionHint.live { _, _ in
        do {
            let environment = Machine.environment
            let dev = try DevProfile(environment).read().map { [$0] } ?? []
            return (dev + (try ProfileFile(environment)?.read().sorted ?? [])).map {
                Candidate($0.name.description, $0.server.description)
            }
        } catch {
            return []
        }
    }

    private static func document(_ server: RemoteServer, _ feed: String, _ line: PartialInvocation) async throws -> JSONValue {
        let name = line[FeedWords.line] ?? "main"
        return JSONValue(try await server.get("feeds/\(feed)/draft", [(name: "line", value: name)])["document"])
    }

    /// `body` gets the feed that stands on the line, which is a key.
    private static func asked(
        _ line: PartialInvocation, _ body: @escaping @Sendable (RemoteServer, _ feed: String) async throws -> [Candidate]
    ) async -> [Candidate] {
        let console = Console(program: line.root.name, environment: Machine.environment)
        let feed = FeedKey(line[FeedWords.feed] ?? "")?.text ?? ""
        do {
            return try RemoteSession(console: console).run(completing: line) { server in
                var server = server
                server.patience = patience
                return try await body(server, feed)
            } ?? []
        } catch {
            return []
        }
    }
}
