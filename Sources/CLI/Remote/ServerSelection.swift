internal import Arguments
internal import HTTP

/// The selected server and token, with the source of each. A flag overrides a variable, which overrides a profile.
struct ServerSelection: Sendable, Equatable {
    struct Inputs: Sendable {
        struct Source<Value: Sendable>: Sendable {
            var flag: Value?
            var variable: Value?
        }

        var server = Source<ServerURL>()
        var profile = Source<ProfileName>()
        var tokenFile = Source<String>()
        var hasTokenVariable = false

        /// The flags by which another command selects the same server, to be copied; empty if no flag selects it.
        var flags: String { server.flag.map { " --server \($0)" } ?? profile.flag.map { " --profile \($0)" } ?? "" }
    }

    enum Origin: Sendable, Equatable {
        case flag, variable
        case profile(ProfileName, Reason)
        case usual

        enum Reason: Sendable, Equatable { case flag, variable, folder, use }
    }

    enum TokenLocation: Sendable, Equatable {
        /// A token file; `variable` if an environment variable names it.
        case file(String, variable: Bool)
        case variable
        case nowhere
    }

    struct UnknownProfile: Error, Equatable {
        let name: ProfileName
        let isVariable: Bool
    }

    let server: ServerURL
    let origin: Origin
    /// The profile that selects the server, if one does.
    let profile: Profile?
    let token: TokenLocation
    let flags: String

    /// Selects a server. `folder` and `book` are called only if they are needed.
    init(_ inputs: Inputs, folder: () throws -> Profile?, book: () throws -> ProfileStore) throws {
        func named(_ name: ProfileName, isVariable: Bool) throws -> Profile {
            if name == .dev, let profile = try folder() { return profile }
            guard let profile = try book()[name] else { throw UnknownProfile(name: name, isVariable: isVariable) }
            return profile
        }
        let origin: Origin
        var profile: Profile?
        if inputs.server.flag != nil {
            origin = .flag
        } else if let name = inputs.profile.flag {
            profile = try named(name, isVariable: false)
            origin = .profile(name, .flag)
        } else if inputs.server.variable != nil {
            origin = .variable
        } else if let name = inputs.profile.variable {
            profile = try named(name, isVariable: true)
            origin = .profile(name, .variable)
        } else if let found = try folder() {
            profile = found
            origin = .profile(found.name, .folder)
        } else {
            let book = try book()
            profile = book.inUse.flatMap { book[$0] }
            origin = profile.map { .profile($0.name, .use) } ?? .usual
        }
        self.origin = origin
        self.profile = profile
        server = inputs.server.flag ?? profile?.server ?? inputs.server.variable ?? .usual
        token = Self.token(inputs, origin, profile)
        flags = inputs.flags
    }

    /// Returns the source of the token. A token of the environment is never sent to the server of a folder's profile.
    /// It is not sent to the server of a flag's profile that has its own token.
    private static func token(_ inputs: Inputs, _ origin: Origin, _ profile: Profile?) -> TokenLocation {
        if let path = inputs.tokenFile.flag { return .file(path, variable: false) }
        let own = profile?.tokenFile.map { TokenLocation.file($0, variable: false) }
        switch origin {
        case .profile(_, .folder): return own ?? .nowhere
        case .profile(_, .flag): if let own { return own }
        default: break
        }
        if let path = inputs.tokenFile.variable { return .file(path, variable: true) }
        return inputs.hasTokenVariable ? .variable : own ?? .nowhere
    }

    /// The arguments of `profile set` for an insecure profile of this server.
    var insecureProfile: String { profile.map { "\($0.name)" } ?? "NAME --server \(server)" }

    /// Whether a token may be sent to the server: the connection is private, or the owner accepted the risk.
    var mayHaveToken: Bool { server.isEncrypted || server.isLocal || profile?.isInsecure == true }
}

extension ServerSelection.Origin: CustomStringConvertible {
    var description: String {
        switch self {
        case .flag: "from --server"
        case .variable: "from \(ServerURL.variable)"
        case .profile(let name, .flag): "profile '\(name)', from --profile"
        case .profile(let name, .variable): "profile '\(name)', from \(RemoteSession.profileVariable)"
        case .profile(let name, .folder): "profile '\(name)', from vitrine dev in this folder"
        case .profile(let name, .use): "current profile '\(name)'"
        case .usual: "default address of vitrine dev"
        }
    }
}

extension ServerSelection.TokenLocation: CustomStringConvertible {
    var description: String {
        switch self {
        case .file(let path, let isVariable): "token in \(path)" + (isVariable ? ", from \(RemoteSession.tokenFileVariable)" : "")
        case .variable: "token in \(RemoteSession.tokenVariable)"
        case .nowhere: "no token"
        }
    }
}

extension ServerURL {
    /// Whether the server is on this machine, so that nothing is sent over a network.
    var isLocal: Bool {
        guard case .tcp(let host, _) = endpoint else { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return ["localhost", "::1"].contains(host.lowercased())
            || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension ServerURL {
    /// The variable of the server's URL. It is not a setting, because servers do not use it.
    static let variable = "VITRINE_SERVER"

    static let option = Option(
        "server", .server, default: .usual, environment: variable,
        "The server, such as http://host:port or unix:/path. Overrides the server of a profile."
    ).listed(under: RemoteSession.heading)

    /// The default address of `vitrine dev`.
    static let usual: ServerURL = {
        do throws(ParseError) { return try ServerURL(parsing: "http://127.0.0.1:8080") } catch { preconditionFailure("it is a URL") }
    }()
}

extension ValueFormat<ServerURL> {
    static var server: ValueFormat {
        ValueFormat(
            "URL",
            read: { text throws(InvalidValue) in
                do throws(ServerURL.ParseError) { return try ServerURL(parsing: text) } catch {
                    throw InvalidValue(expected: error.expectation)
                }
            },
            write: \.description)
    }
}
