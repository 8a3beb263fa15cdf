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

    /// By the words of their titles, which their keys are made of.
    static let items = CompletionHint.live { prefix, line in
        let kinds = ["topapp:", "foodapp:"]
        let isFull = kinds.contains { prefix.hasPrefix($0) }
        let words = isFull ? prefix.drop { $0 != ":" }.dropFirst() : prefix[...]
        guard words.utf8.count >= 2 else { return kinds.map { Candidate($0) } }
        return await asked(line) { server, _ in
            let shop = try await server.storefront(nil)
            let query: RemoteServer.Query = [
                (name: "q", value: String(words.replacing("-", with: " "))), (name: "limit", value: "\(mostItems)"),
            ]
            return try await server.shown("\(shop)/items", query)["items"]?.elements.map { item in
                let kind = isFull ? "\(item["kind"]?.string?.lowercased() ?? ""):" : ""
                return Candidate("\(kind)\(item["slug"]?.string ?? "")", item["title"]?.string ?? "")
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
