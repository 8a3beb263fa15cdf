internal import API
internal import Arguments
internal import HTTP
internal import HTTPMessages
internal import Host
internal import Items
internal import Resolve
internal import Security
internal import Values
internal import VitrineClient

/// `vitrine sync tail`: a client with a local copy, for inspecting and checking a server.
struct SyncTail {
    let console: Console

    private static let storefront = Option(
        "storefront", .text.named("KEY").completed(by: RemoteCompletions.storefronts), default: "us", "The storefront.")
    private static let feeds = Option(
        "feeds", .text.named("KEY,…").completed(by: RemoteCompletions.visibleFeeds), "Follow only these feeds. Default: the whole catalog.")
    private static let lists = Option(flag: "lists", "Follow the lists of the feeds too, and not only their pages.")
    private static let pages = Option(
        flag: "pages", "Print the page of each feed as one client sees it, whenever the page changes. Default: print each change.")
    private static let client = Option(
        "client", .text.named("HEADER"),
        "The Vitrine-Client header of that client, such as 'platform=ios, app=\"3.2\"'. This header decides which sections with a target are shown."
    )
    private static let locale = Option(
        "locale", .text.named("LOCALE").completed(by: RemoteCompletions.locales), default: "en", "The locale of texts.")
    private static let copy = Option("copy", .file, "The file of the local copy. Default: one per server and sync scope.")
    private static let limit = Option("limit", .integer(in: 1...1_000), default: 1_000, "The maximum number of changes per request.")
    private static let once = Option(flag: "once", "Exit when the local copy is up to date.")
    private static let verify = Option(flag: "verify", "Verify the local copy with the digest of the server, and report differences.")
    private static let repair = Option(flag: "repair", "Repair the differences that --verify finds, and verify again.")
    private static let output = Option(
        "output", short: "o", .choice(of: TailOptions.Format.self).named("FORMAT"), default: .text, "The output format.")

    var command: Command {
        Command(
            "tail", "Follow the changes that clients receive",
            discussion: """
                Follows a server with long polls like an app, and keeps a local copy. After an interruption it continues from the copy. Each \
                change is printed on one line; the first load is printed only with -o jsonl. With --verify, exits with 1 if the copy differs.
                """,
            examples: [
                Example("vitrine sync tail", "Follow the catalog of the storefront us."),
                Example("vitrine sync tail --feeds today,games --locale ar", "Follow two feeds."),
                Example(
                    "vitrine sync tail --feeds today --pages --client 'platform=ios'", "Print the page of an iPhone whenever it changes."),
                Example("vitrine sync tail --verify --repair", "Verify the local copy and repair it."),
                Example("vitrine sync tail --once -o jsonl", "Print the changes since the last run."),
            ],
            options: [
                Self.storefront, Self.feeds, Self.lists, Self.pages, Self.client, Self.locale, Self.copy, Self.limit, Self.once,
                Self.verify, Self.repair, Self.output,
                ServerURL.option, RemoteSession.profile,
            ]
        ) { invocation in
            Signal.holdStopping()
            return try run(try options(invocation))
        }
    }

    private func options(_ invocation: Invocation) throws -> TailOptions {
        let feeds = invocation[Self.feeds]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if let feeds, feeds.contains(where: \.isEmpty) {
            throw invocation.usageError("invalid value for '--feeds': expected feed keys separated by commas")
        }
        for (option, name) in [(Self.lists, "lists"), (Self.pages, "pages")] where invocation[option] && feeds == nil {
            throw invocation.usageError("option '--\(name)' requires '--feeds'")
        }
        if invocation[Self.repair], !invocation[Self.verify] { throw invocation.usageError("option '--repair' requires '--verify'") }
        let server = try RemoteSession(console: console).server(invocation)
        let scope = CopyScope(
            storefront: invocation[Self.storefront], feeds: feeds, hasLists: invocation[Self.lists], locale: invocation[Self.locale])
        return TailOptions(
            server: server, scope: scope, path: try invocation[Self.copy] ?? usualPath(server, scope), limit: invocation[Self.limit],
            endsAtHead: invocation[Self.once], verifies: invocation[Self.verify], repairs: invocation[Self.repair],
            format: invocation[Self.output], viewer: try viewer(invocation, scope))
    }

    /// Returns the client whose pages are printed, or nil if changes are printed.
    private func viewer(_ invocation: Invocation, _ scope: CopyScope) throws -> ClientFacts? {
        guard invocation[Self.pages] else {
            if invocation[Self.client] != nil { throw invocation.usageError("option '--client' requires '--pages'") }
            return nil
        }
        var facts = ClientFacts.nothingSaid
        if let text = invocation[Self.client] {
            guard let header = StructuredDictionary(text) else {
                throw invocation.usageError("invalid value for '--client': expected a header such as 'platform=ios, app=\"3.2\"'")
            }
            facts = ClientFacts(header)
        }
        facts.storefront = .said(scope.storefront)
        facts.locale = .said(LocaleTag(scope.locale)?.fallbacks.map(\.text) ?? [scope.locale])
        return facts
    }

    /// Returns the default path, in the system's folder for application state.
    private func usualPath(_ server: ServerURL, _ scope: CopyScope) throws -> String {
        let home = console.environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = home ?? console.environment["HOME"].map({ Path.join($0, ".local/state") }) else {
            throw TailError(
                message: "no folder for the local copy: HOME is not set", advice: "choose a file with --copy", exitCode: .invalid)
        }
        let text =
            "\(server.name)-\(scope.storefront)-\(scope.locale)-\(scope.feeds?.joined(separator: "+") ?? "catalog")\(scope.hasLists ? "--lists" : "")"
        let name = text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-+.".contains($0)) ? String($0) : "_" }.joined()
        let short = name.utf8.count > 120 ? "\(name.prefix(90))-\(Digest.tag(of: Array(text.utf8)))" : name
        return Path.join(folder, "vitrine/sync/\(short).copy")
    }

    private func run(_ options: TailOptions) throws -> ExitCode {
        do {
            return try LoopSession(interrupts: Signal.stopping).run { loop in
                try await TailSession(options, console: console, on: loop).run()
            } ?? .interrupted
        } catch let end as TailError {
            console.printError(end.message, advice: end.advice)
            return end.exitCode
        } catch let error as HTTPClientError {
            console.printError("\(error)", advice: "")
            return .unreachable
        } catch let error as CopyFileError {
            return explain(error, options)
        }
    }

    private func explain(_ error: CopyFileError, _ options: TailOptions) -> ExitCode {
        let path = options.path
        switch error {
        case .inUse:
            console.printError(
                "another process uses the local copy in \(path)", advice: "stop the other process, or choose another file with --copy")
            return .conflict
        case .isNone:
            console.printError("\(path) is not a local copy; it was not changed", advice: "choose another file with --copy")
        case .ofAnother(let scope):
            console.printError(
                "\(path) is a local copy of another sync scope: \(scope)", advice: "choose another file with --copy for \(options.scope)")
        case .damaged(let index):
            console.printError("\(path) is damaged at byte \(index)", advice: "remove the file to load a new copy")
        }
        return .invalid
    }
}

/// The options of `sync tail`.
struct TailOptions: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case text, jsonl
    }

    let server: ServerURL
    let scope: CopyScope
    let path: String
    /// The maximum number of changes per request.
    let limit: Int
    /// Whether it ends as soon as the local copy is up to date.
    let endsAtHead: Bool
    let verifies: Bool
    let repairs: Bool
    let format: Format
    /// The client whose pages are printed, or nil if changes are printed.
    let viewer: ClientFacts?
}
