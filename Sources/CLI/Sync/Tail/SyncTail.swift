internal import Arguments
internal import HTTP
internal import Host
internal import Security
internal import VitrineClient

/// `vitrine sync tail`: a client with a local copy, for inspecting and checking a server.
struct SyncTail {
    let console: Console

    private static let storefront = Option(
        "storefront", .text.named("KEY").completed(by: RemoteCompletions.storefronts), default: "us", "The storefront.")
    private static let feeds = Option(
        "feeds", .text.named("KEY,…").completed(by: RemoteCompletions.shownFeeds), "These feeds, instead of the whole catalog.")
    private static let locale = Option(
        "locale", .text.named("LOCALE").completed(by: RemoteCompletions.locales), default: "en", "The locale of the texts.")
    private static let copy = Option("copy", .file, "Where the copy is kept; a file of its own for each server and scope unless given.")
    private static let limit = Option("limit", .integer(in: 1...1_000), default: 1_000, "How many changes are asked for at once.")
    private static let once = Option(flag: "once", "Ends as soon as the copy is up to date.")
    private static let verify = Option(flag: "verify", "Proves the copy by the server's digest, and says what differs.")
    private static let repair = Option(flag: "repair", "Goes with --verify: mends what differs, and proves it again.")
    private static let output = Option(
        "output", short: "o", .choice(of: TailOptions.Format.self).named("FORMAT"), default: .human, "How changes are written.")

    var command: Command {
        Command(
            "tail", "Keeps a copy of what clients see, and prints what changes.",
            discussion: """
                It follows a server as an app would, by long polls, and goes on from its file after any interruption. What changes is on standard \
                output, a line each; the lines of a first load only with -o jsonl. With --verify the exit code is 1 where the copy is not right.
                """,
            examples: [
                Example("vitrine sync tail", "Follows the catalog of the storefront us."),
                Example("vitrine sync tail --feeds today,games --locale ar", "Follows what two feeds show."),
                Example("vitrine sync tail --verify --repair", "Proves the copy, and mends it."),
                Example("vitrine sync tail --once -o jsonl", "Prints what has changed since the last time."),
            ],
            options: [
                ServerURL.option, Self.storefront, Self.feeds, Self.locale, Self.copy, Self.limit, Self.once, Self.verify, Self.repair,
                Self.output,
            ]
        ) { invocation in
            Signal.holdStopping()
            return try run(try options(invocation))
        }
    }

    private func options(_ invocation: Invocation) throws -> TailOptions {
        let feeds = invocation[Self.feeds]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if let feeds, feeds.contains(where: \.isEmpty) { throw invocation.usageError("--feeds takes keys with commas between them.") }
        if invocation[Self.repair], !invocation[Self.verify] { throw invocation.usageError("--repair goes with --verify.") }
        let server = invocation[ServerURL.option]
        let scope = CopyScope(storefront: invocation[Self.storefront], feeds: feeds, locale: invocation[Self.locale])
        return TailOptions(
            server: server, scope: scope, path: try invocation[Self.copy] ?? usualPath(server, scope), limit: invocation[Self.limit],
            endsAtHead: invocation[Self.once], verifies: invocation[Self.verify], repairs: invocation[Self.repair],
            format: invocation[Self.output])
    }

    /// Returns the default path, in the system's folder for application state.
    private func usualPath(_ server: ServerURL, _ scope: CopyScope) throws -> String {
        let home = console.environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = home ?? console.environment["HOME"].map({ Path.join($0, ".local/state") }) else {
            throw TailError(message: "there is no home folder", advice: "Say by --copy where the copy is kept.", exitCode: .invalid)
        }
        let words = "\(server.name)-\(scope.storefront)-\(scope.locale)-\(scope.feeds?.joined(separator: "+") ?? "catalog")"
        let name = words.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-+.".contains($0)) ? String($0) : "_" }.joined()
        let short = name.utf8.count > 120 ? "\(name.prefix(90))-\(Digest.tag(of: Array(words.utf8)))" : name
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
            console.printError("another process keeps the copy in \(path)", advice: "End it, or choose another file by --copy.")
            return .conflict
        case .isNone:
            console.printError("\(path) is no copy", advice: "Choose another file by --copy; this one was left as it is.")
        case .ofAnother(let scope):
            console.printError(
                "\(path) has a copy of another scope: \(scope)", advice: "Choose another file by --copy for \(options.scope).")
        case .damaged(let place):
            console.printError("\(path) is damaged at byte \(place)", advice: "Remove it to load the copy anew.")
        }
        return .invalid
    }
}

/// The options of `sync tail`.
struct TailOptions: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case human, jsonl
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
}
