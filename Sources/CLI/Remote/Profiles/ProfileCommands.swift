internal import Arguments
internal import HTTP
import Host
internal import JSON
internal import Telemetry

/// `vitrine profile`: named servers for commands.
struct ProfileCommands {
    let console: Console

    var command: Command {
        Command(
            "profile", "Names servers, so that commands find them with their tokens.",
            discussion: """
                A profile has a server, says in which file its token is, and may have the storefront and the locale of commands that are told \
                none. A command asks the server of --server or --profile, or else of \(ServerURL.variable) or \(RemoteSession.profileVariable), \
                or else that of the vitrine dev which runs in its folder, or else that of the profile in use. Profiles are in \
                $XDG_CONFIG_HOME/vitrine/profiles.json, which never has a token.
                """,
            examples: [
                Example("vitrine profile set staging --server https://staging.example --token-file ~/.staging-token", "Names a server."),
                Example("vitrine profile use staging", "Has commands ask it from now on."),
                Example("vitrine profile ls", "Lists those that there are, and says which is used and why."),
            ],
            subcommands: [set, list, use, remove])
    }

    private func file() throws -> ProfileFile {
        guard let file = ProfileFile(console.environment) else {
            throw RemoteError(
                message: "nobody says where profiles are kept", advice: "Set HOME, or XDG_CONFIG_HOME, to a path from the root.",
                exitCode: .invalid)
        }
        return file
    }

    private static let name = Argument("NAME", .profile, "Its name, as staging.")

    // MARK: Setting

    private static let server = Option("server", .server, "The server, as https://shop.example or unix:/path; a new profile needs one.")
    private static let tokenFile = Option(
        "token-file", .file, "Where its token is; with - it is read from standard input and kept beside the profiles.")
    private static let storefront = Option(
        "storefront", .text.named("KEY").completed(by: RemoteCompletions.storefronts),
        "The storefront of commands that are told none, as us.")
    private static let locale = Option(
        "locale", .text.named("TAG").completed(by: RemoteCompletions.locales), "The language of commands that are told none, as en.")
    private static let insecure = Option(
        negatable: "insecure", default: false, "Lets its token go over http to another machine, where others may read it on the way.")

    private var set: Command {
        Command(
            "set", "Makes a profile, or changes one.",
            discussion: """
                What is not given stays as it is; another server has the profile forget its token and --insecure. The first profile is used from then on. A token is sent over http to this machine alone, \
                unless the profile is --insecure: use https for any other.
                """,
            examples: [
                Example("vitrine profile set local --server http://127.0.0.1:8080 --token-file token", "Names a server of this machine."),
                Example(
                    "vitrine token create --name anna --scope publish --in-database | vitrine profile set live --server https://shop.example --token-file -",
                    "Keeps a new token with it, made where its database is."),
                Example("vitrine profile set local --storefront de --locale de", "Changes what commands are shown."),
            ],
            operands: [Self.name], options: [Self.server, Self.tokenFile, Self.storefront, Self.locale, Self.insecure]
        ) { invocation in
            let name = invocation[Self.name]
            guard name != .dev else {
                throw RemoteError(
                    message: "dev is the profile that vitrine dev makes for its folder", advice: "Take another name.", exitCode: .conflict)
            }
            let file = try file()
            let token = try token(invocation)
            let saved: (profile: Profile, isUsed: Bool, left: String?) = try file.update { book in
                var left: String?
                guard var profile = book[name] ?? invocation[Self.server].map({ Profile(name: name, server: $0) }) else {
                    throw RemoteError(
                        message: "there is no profile \(name), and a new one needs a server", advice: "Say where it is by --server.",
                        exitCode: .notFound)
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
            let place = saved.profile.tokenFile.map { " with the token in \($0)" } ?? ", without a token"
            console.printStatus("Saved the profile \(name): \(saved.profile.server)\(place).\n")
            let isHidden = try DevProfile(console.environment).read() != nil
            let use = isHidden ? "It is in use, but not here, where vitrine dev runs: say --profile \(name).\n" : "It is in use.\n"
            console.printStatus(saved.isUsed ? use : "Use it: \(console.program) profile use \(name)\n")
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
            console.printStatus("warning: \(path) can be read by others; chmod 600 keeps the token from them.\n")
        }
        return .file(try Path.absolute(path))
    }

    // MARK: Listing and choosing

    private var list: Command {
        Command(
            "ls", "Lists the profiles, and says which is used and why.",
            examples: [
                Example("vitrine profile ls", "Lists them with their servers."),
                Example("vitrine profile ls -o json", "The same for programs."),
            ],
            options: [ListFormat.option]
        ) { invocation in
            let session = RemoteSession(console: console)
            var chosen: ServerSelection?
            do { chosen = try session.chosen(session.environmentWords()) } catch let failure as RemoteError
                where failure.exitCode == .notFound
            {
                console.printStatus("\(failure.message).\n")
            }
            let dev = try DevProfile(console.environment).read().map { [$0] } ?? []
            let profiles = dev + (try ProfileFile(console.environment)?.read().sorted ?? [])
            let listed = profiles.map { ProfileRow(profile: $0, usedAs: chosen?.profile == $0 ? chosen?.origin : nil) }
            try ListPage(elements: listed, columns: ProfileRow.columns) { $0.profile.name.description }.print(
                as: invocation[ListFormat.option])
            if let chosen, chosen.profile == nil { console.printStatus("Commands ask \(chosen.server), \(chosen.origin).\n") }
            return .ok
        }
    }

    private var use: Command {
        Command(
            "use", "Has commands ask the server of a profile from now on.",
            discussion: "In a folder where vitrine dev runs they ask that; --profile and \(RemoteSession.profileVariable) go before both.",
            examples: [Example("vitrine profile use staging", "Chooses one.")],
            operands: [Self.name]
        ) { invocation in
            let name = invocation[Self.name]
            guard name != .dev else {
                console.printError(
                    "the profile dev is used in the folder of a running vitrine dev, and nowhere else",
                    advice: "Go there, or make a profile of another name for its server.")
                return .conflict
            }
            guard try file().update({ $0.use(name) }) else { return unknown(name) }
            console.printStatus("Commands use the profile \(name) from now on.\n")
            return .ok
        }
    }

    private var remove: Command {
        Command(
            "rm", "Forgets a profile.",
            discussion: "A token that is kept beside the profiles goes with it; the token itself is good until it is revoked.",
            examples: [Example("vitrine profile rm staging", "Forgets one.")],
            operands: [Self.name]
        ) { invocation in
            let name = invocation[Self.name]
            let file = try file()
            guard let profile = try file.update({ $0.remove(name) }) else { return unknown(name) }
            if profile.tokenFile == file.tokenPath(name) { try Files.remove(file.tokenPath(name)) }
            console.printStatus("Forgot the profile \(name).\n")
            return .ok
        }
    }

    private func unknown(_ name: ProfileName) -> ExitCode {
        console.printError("there is no profile \(name)", advice: "\(console.program) profile ls lists those that there are.")
        return .notFound
    }
}

struct ProfileRow: Sendable, JSONObjectEncodable {
    let profile: Profile
    /// The source that selects the profile; nil if it is not in use.
    let usedAs: ServerSelection.Origin?

    func encodeMembers(to json: inout JSONWriter) {
        json.member("name", profile.name.description)
        json.member("server", profile.server.description)
        json.member("tokenFile", profile.tokenFile)
        json.member("insecure", profile.isInsecure, unless: false)
        json.member("storefront", profile.storefront)
        json.member("locale", profile.locale)
        json.member("used", usedAs != nil)
        json.member("reason", reason)
    }

    private var reason: String? {
        guard case .profile(_, let because)? = usedAs else { return nil }
        return switch because {
        case .flag: "by --profile"
        case .variable: "by \(RemoteSession.profileVariable)"
        case .folder: "vitrine dev runs in this folder"
        case .use: "by vitrine profile use"
        }
    }

    static let columns: [ListPage<ProfileRow>.Column] = [
        .init(title: "NAME") { $0.profile.name.description }, .init(title: "SERVER") { $0.profile.server.description },
        .init(title: "STOREFRONT", isWide: true) { $0.profile.storefront ?? "" },
        .init(title: "LOCALE", isWide: true) { $0.profile.locale ?? "" },
        .init(title: "TOKEN", isWide: true) { $0.profile.tokenFile ?? "" },
        .init(title: "USED") { $0.reason ?? "" },
    ]
}
