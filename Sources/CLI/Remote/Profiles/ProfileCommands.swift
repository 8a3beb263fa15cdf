internal import Arguments
internal import HTTP
import Host
internal import JSON
internal import Telemetry
internal import Values

/// `vitrine profile`: named servers for commands.
struct ProfileCommands {
    let console: Console

    var command: Command {
        Command(
            "profile", "Manage server profiles",
            discussion: """
                A profile names a server with its token file, and optionally the default storefront and locale of commands.

                A command uses the server of --server or --profile. Otherwise, the first of these sources selects the server: \
                \(ServerURL.variable) or \(RemoteSession.profileVariable); a running vitrine dev of the current folder; the current profile. \
                Profiles are stored in $XDG_CONFIG_HOME/vitrine/profiles.json, which never contains a token.
                """,
            examples: [
                Example("vitrine profile set staging --server https://staging.example --token-file ~/.staging-token", "Save a profile."),
                Example("vitrine profile use staging", "Make the profile the current one."),
                Example("vitrine profile ls", "List the profiles and show the current one."),
            ],
            subcommands: [set, list, use, remove])
    }

    private func file() throws -> ProfileFile {
        guard let file = ProfileFile(console.environment) else {
            throw RemoteError(
                message: "no folder for profiles: neither XDG_CONFIG_HOME nor HOME is an absolute path",
                advice: "set HOME or XDG_CONFIG_HOME to an absolute path",
                exitCode: .invalid)
        }
        return file
    }

    private static let name = Argument("NAME", .profile, "The name of the profile, such as staging.")

    // MARK: Setting

    private static let server = Option(
        "server", .server, "The server, such as https://vitrine.example or unix:/path. Required for a new profile.")
    private static let tokenFile = Option(
        "token-file", .file, "The token file, or - to read the token from standard input and store it next to the profiles.")
    private static let storefront = Option(
        "storefront", .text.named("KEY").completed(by: RemoteCompletions.storefronts),
        "The default storefront of commands.")
    private static let locale = Option(
        "locale", .text.named("TAG").completed(by: RemoteCompletions.locales), "The default locale of commands.")
    private static let insecure = Option(
        negatable: "insecure", default: false,
        "Allow sending the token to another machine over http, where others can read the token. An existing profile keeps its value.")

    private var set: Command {
        Command(
            "set", "Create or change a profile",
            discussion: """
                Fields without an option keep their values. A new server resets the token and --insecure. The first profile becomes the \
                current one. A token is sent over http only to this machine, unless the profile is --insecure; use https for other \
                machines.
                """,
            examples: [
                Example("vitrine profile set local --server http://127.0.0.1:8080 --token-file token", "Save a profile of a local server."),
                Example(
                    "vitrine token create --name anna --scope publish --direct | vitrine profile set live --server https://vitrine.example --token-file -",
                    "Create a token directly in the database, and store it with the profile."),
                Example("vitrine profile set local --storefront de --locale de", "Change the default storefront and locale."),
            ],
            arguments: [Self.name],
            options: [Self.server, Self.tokenFile, Self.storefront, Self.locale, Self.insecure, OutputFormat.option]
        ) { invocation in
            let name = invocation[Self.name]
            guard name != .dev else {
                throw RemoteError(
                    message: "the profile name 'dev' is reserved for vitrine dev", advice: "choose another name", exitCode: .conflict)
            }
            let file = try file()
            let token = try token(invocation)
            let saved: (profile: Profile, isUsed: Bool, left: String?) = try file.update { book in
                var left: String?
                guard var profile = book[name] ?? invocation[Self.server].map({ Profile(name: name, server: $0) }) else {
                    throw invocation.usageError("missing option '--server URL' for the new profile '\(name)'")
                }
                if let server = invocation[Self.server], server != profile.server {
                    // The token and the exemption of one server are not valid for another.
                    left = profile.tokenFile
                    (profile.server, profile.tokenFile, profile.isInsecure) = (server, nil, false)
                }
                switch token {
                case .file(let path): profile.tokenFile = path
                case .secret(let secret):
                    let path = file.tokenPath(name)
                    try ProfileFile.write(Array("\(secret.exposed)\n".utf8), to: path)
                    profile.tokenFile = path
                case nil: break
                }
                if let storefront = invocation[Self.storefront] { profile.storefront = storefront }
                if let locale = invocation[Self.locale] { profile.locale = locale }
                if invocation.source(of: Self.insecure) == .flag { profile.isInsecure = invocation[Self.insecure] }
                book.set(profile)
                return (profile, book.inUse == name, book.sorted.contains { $0.tokenFile == left } ? nil : left)
            }
            // A token file that no profile refers to is removed.
            if saved.left == file.tokenPath(name) { try Files.remove(file.tokenPath(name)) }
            let location = saved.profile.tokenFile.map { " with the token in \($0.printable())" } ?? " without a token"
            try report("Saved profile '\(name)' of \(saved.profile.server)\(location).\n", saved.profile, invocation)
            let isHidden = try DevProfile(console.environment).read() != nil
            let use =
                isHidden
                ? "hint: commands in this folder use the running vitrine dev; add '--profile \(name)' to use the profile\n"
                : "It is the current profile.\n"
            console.printStatus(saved.isUsed ? use : "hint: make it the current profile with '\(console.program) profile use \(name)'\n")
            return .ok
        }
    }

    private enum GivenToken {
        case file(String)
        case secret(Secret)
    }

    private func token(_ invocation: Invocation) throws -> GivenToken? {
        guard let path = invocation[Self.tokenFile] else { return nil }
        let token = try RemoteSession.token(in: RemoteSession.text(ofToken: path))
        if path == "-" { return .secret(token) }
        if let mode = FileStatus(following: path)?.mode, mode & 0o044 != 0 {
            console.printStatus("warning: other users can read \(path.printable()); run chmod 600 on it\n")
        }
        return .file(try Path.absolute(path))
    }

    // MARK: Listing and choosing

    private var list: Command {
        Command(
            "ls", "List profiles",
            examples: [
                Example("vitrine profile ls", "List the profiles and show the current one."),
                Example("vitrine profile ls -o json", "List the profiles as JSON."),
            ],
            options: [ListFormat.option]
        ) { invocation in
            let chosen = try chosen()
            let dev = try DevProfile(console.environment).read().map { [$0] } ?? []
            let profiles = dev + (try ProfileFile(console.environment)?.read().sorted ?? [])
            let listed = profiles.map { ProfileRow(profile: $0, selectedBy: chosen) }
            try ListPage(elements: listed, columns: ProfileRow.columns) { $0.profile.name.description }.print(
                as: invocation[ListFormat.option])
            if profiles.isEmpty {
                console.printStatus("hint: create a profile with '\(console.program) profile set NAME --server URL'\n")
            }
            if let chosen, chosen.profile == nil { console.printStatus("Commands use \(chosen.server) (\(chosen.origin)).\n") }
            return .ok
        }
    }

    private var use: Command {
        Command(
            "use", "Make a profile the current one",
            discussion:
                "Commands in the folder of a running vitrine dev use its server instead. --profile and \(RemoteSession.profileVariable) override both vitrine dev and the current profile.",
            examples: [Example("vitrine profile use staging", "Use the profile staging.")],
            arguments: [Self.name], options: [OutputFormat.option]
        ) { invocation in
            let name = invocation[Self.name]
            guard name != .dev else {
                console.printError(
                    "the profile 'dev' is available only in the folder of a running vitrine dev",
                    advice: "change to that folder, or create a profile with another name")
                return .conflict
            }
            guard let profile = try file().update({ $0.use(name) ? $0[name] : nil }) else { return unknown(name) }
            try report("The current profile is '\(name)'.\n", profile, invocation)
            return .ok
        }
    }

    private var remove: Command {
        Command(
            "rm", "Delete a profile",
            discussion: """
                Also deletes the token file of the profile if that file is next to profiles.json. The token stays valid until it is revoked.
                """,
            examples: [Example("vitrine profile rm staging", "Delete a profile.")],
            arguments: [Self.name], options: [OutputFormat.option]
        ) { invocation in
            let name = invocation[Self.name]
            let file = try file()
            guard let profile = try file.update({ $0.remove(name) }) else { return unknown(name) }
            if profile.tokenFile == file.tokenPath(name) { try Files.remove(file.tokenPath(name)) }
            try report("Deleted profile '\(name)'.\n", profile, invocation)
            return .ok
        }
    }

    /// Prints a sentence about a change, or the changed profile.
    private func report(_ text: String, _ profile: Profile, _ invocation: Invocation) throws {
        switch invocation[OutputFormat.option] {
        case .table: try console.print(text)
        case .json: try console.printJSON(ProfileRow(profile: profile, selectedBy: try chosen()))
        }
    }

    /// Returns the server of a command without options. Prints a warning if a variable names an unknown profile.
    private func chosen() throws -> ServerSelection? {
        let session = RemoteSession(console: console)
        do {
            return try session.chosen(session.environmentWords())
        } catch let failure as RemoteError where failure.exitCode == .notFound {
            console.printStatus("warning: \(failure.message)\n")
            return nil
        }
    }

    private func unknown(_ name: ProfileName) -> ExitCode {
        console.printError("unknown profile '\(name)'", advice: "list the profiles with '\(console.program) profile ls'")
        return .notFound
    }
}

struct ProfileRow: Sendable, JSONObjectEncodable {
    let profile: Profile
    /// The source that selects the profile; nil if it is not in use.
    let usedAs: ServerSelection.Origin?

    init(profile: Profile, selectedBy chosen: ServerSelection?) {
        self.profile = profile
        usedAs = chosen?.profile == profile ? chosen?.origin : nil
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("name", profile.name.description)
        json.member("server", profile.server.description)
        json.member("tokenFile", profile.tokenFile)
        json.member("insecure", profile.isInsecure, unless: false)
        json.member("storefront", profile.storefront)
        json.member("locale", profile.locale)
        json.member("current", usedAs != nil)
        json.member("reason", reason)
    }

    private var reason: String? {
        guard case .profile(_, let because)? = usedAs else { return nil }
        return switch because {
        case .flag: "--profile"
        case .variable: "\(RemoteSession.profileVariable)"
        case .folder: "vitrine dev"
        case .use: "vitrine profile use"
        }
    }

    static let columns: [ListPage<ProfileRow>.Column] = [
        .init(title: "NAME") { $0.profile.name.description }, .init(title: "SERVER") { $0.profile.server.description },
        .init(title: "STOREFRONT", isWide: true) { $0.profile.storefront ?? "" },
        .init(title: "LOCALE", isWide: true) { $0.profile.locale ?? "" },
        .init(title: "TOKEN", isWide: true) { $0.profile.tokenFile ?? "" },
        .init(title: "CURRENT") { $0.reason ?? "" },
    ]
}
