internal import Arguments
internal import HTTP
internal import Host
internal import Telemetry
internal import Values

/// A session with the admin API of a server for the duration of a command, with the token of the user.
struct RemoteSession {
    /// An error thrown if a user or the system ends the command while it waits for the server.
    struct Interruption: Error {}

    /// The variable of the token. It is not a setting, because servers do not use it.
    static let tokenVariable = "VITRINE_TOKEN"
    static let tokenFileVariable = "VITRINE_TOKEN_FILE"
    static let profileVariable = "VITRINE_PROFILE"
    static let tokenHint = "create a token with 'vitrine token create', the first one with '--direct'"
    static let variables: Set<String> = [ServerURL.variable, tokenVariable, tokenFileVariable, profileVariable]

    /// The heading of the options that select a server and its token.
    static let heading = "Connection options"

    private static let tokenFile = Option(
        "token-file", .file, environment: tokenFileVariable, "The token file, or - for standard input. Overrides \(tokenVariable)."
    ).listed(under: heading)
    static let profile = Option(
        "profile", .profile, environment: profileVariable, "The profile of the server and its token."
    ).listed(under: heading)

    /// The options of all commands that use the admin API.
    static let options: [any OptionDeclaring] = [ServerURL.option, profile, tokenFile]

    let console: Console
    /// The selected server and its token. They stay the same for the whole command even if profiles change, because the
    /// state of one server is invalid for another. Standard input contains the token only once.
    private let decided = Locked<(server: ServerSelection, token: Secret)?>(nil)

    init(console: Console) { self.console = console }

    /// Runs a body with the server that the command line, the environment or a profile selects.
    func run<Result: Sendable>(
        _ invocation: Invocation, _ body: @escaping @Sendable (AdminClient) async throws -> Result
    ) throws -> Result {
        if let decided = decided.withLock({ $0 }) { return try run(on: decided.server, decided.token, body) }
        let server = try chosen(invocation)
        let token = try token(of: server)
        decided.withLock { $0 = (server, token) }
        return try run(on: server, token, body)
    }

    /// Runs a body with the server of a profile, regardless of other options.
    func run<Result: Sendable>(
        profile name: ProfileName, _ body: @escaping @Sendable (AdminClient) async throws -> Result
    ) throws -> Result {
        let server = try chosen(ServerSelection.Inputs(profile: .init(flag: name)))
        return try run(on: server, try token(of: server), body)
    }

    /// Runs a body with the server of an unfinished command line, or of a profile. It does not wait for a token from
    /// standard input or a pipe.
    func run<Result: Sendable>(
        completing line: PartialInvocation, of profile: ProfileName?, needsToken: Bool,
        _ body: @escaping @Sendable (AdminClient) async throws -> Result
    ) throws -> Result? {
        var inputs = try environmentWords()
        if let profile {
            inputs = ServerSelection.Inputs(profile: .init(flag: profile))
        } else {
            inputs.profile.flag = line.flagText(Self.profile.declaration.name).flatMap { ProfileName($0) }
            inputs.tokenFile.flag = line.flagText(Self.tokenFile.declaration.name)
            if let url = line.flagText(ServerURL.option.declaration.name) { inputs.server.flag = try ValueFormat.server.read(url) }
        }
        let chosen = try chosen(inputs)
        if !needsToken { return try run(on: chosen, Secret(""), showsError: false, body) }
        if case .file(let path, _) = chosen.token {
            guard path != "-", let size = FileStatus(following: path)?.size, size > 0 else { return nil }
        }
        return try run(on: chosen, try token(of: chosen), showsError: false, body)
    }

    private func run<Result: Sendable>(
        on chosen: ServerSelection, _ token: Secret, showsError: Bool = true,
        _ body: @escaping @Sendable (AdminClient) async throws -> Result
    ) throws -> Result {
        Signal.holdStopping()
        let result = try LoopSession(interrupts: Signal.stopping).run { loop in
            let client = AdminClient(
                client: try HTTPClient(chosen.server, on: loop), token: token, profile: chosen.profile, flags: chosen.flags)
            do {
                return try await body(client)
            } catch let error as HTTPClientError {
                throw RemoteError(error, asking: chosen)
            } catch let error as RemoteError {
                throw showsError ? await client.advised(error) : error
            }
        }
        guard let result else { throw Interruption() }
        return result
    }

    // MARK: Server selection

    /// Returns the server of a command that needs no token.
    func server(_ invocation: Invocation) throws -> ServerURL { try chosen(invocation, needsToken: false).server }

    private func chosen(_ invocation: Invocation, needsToken: Bool = true) throws -> ServerSelection {
        func said<Value>(_ option: Option<Value?>) -> ServerSelection.Inputs.Source<Value> {
            guard case .environment = invocation.source(of: option) else { return .init(flag: invocation[option]) }
            return .init(variable: invocation[option])
        }
        var inputs = ServerSelection.Inputs(profile: said(Self.profile), hasTokenVariable: environmentHasToken)
        if needsToken { inputs.tokenFile = said(Self.tokenFile) }
        switch invocation.source(of: ServerURL.option) {
        case .flag: inputs.server.flag = invocation[ServerURL.option]
        case .environment: inputs.server.variable = invocation[ServerURL.option]
        case .default: break
        }
        if inputs.server.flag != nil, inputs.profile.flag != nil {
            throw invocation.usageError("conflicting options: expected only one of '--server' and '--profile'")
        }
        return try chosen(inputs)
    }

    func chosen(_ inputs: ServerSelection.Inputs) throws -> ServerSelection {
        do {
            return try ServerSelection(
                inputs, folder: { try DevProfile(console.environment).read() },
                book: { try ProfileFile(console.environment)?.read() ?? ProfileStore() })
        } catch let error as ServerSelection.UnknownProfile {
            let advice =
                error.name == .dev
                ? "start 'vitrine dev' in this folder to create it" : "list the profiles with 'vitrine profile ls'"
            let cause = error.isVariable ? " in \(Self.profileVariable)" : ""
            throw RemoteError(message: "unknown profile '\(error.name)'\(cause)", advice: advice, exitCode: .notFound)
        }
    }

    /// Returns the inputs of the environment, for use without a command line.
    func environmentWords() throws -> ServerSelection.Inputs {
        func value<Value>(_ variable: String, _ notation: ValueFormat<Value>) throws -> Value? {
            guard let text = console.environment[variable], !text.isEmpty else { return nil }
            do throws(InvalidValue) { return try notation.read(text) } catch {
                throw RemoteError(
                    message: "invalid value \(text.quoted) for '\(variable)': expected \(error.expectation)", advice: "", exitCode: .usage)
            }
        }
        return ServerSelection.Inputs(
            server: .init(variable: try value(ServerURL.variable, .server)),
            profile: .init(variable: try value(Self.profileVariable, .profile)),
            tokenFile: .init(variable: try value(Self.tokenFileVariable, .file)), hasTokenVariable: environmentHasToken)
    }

    private var environmentHasToken: Bool { console.environment[Self.tokenVariable]?.isEmpty == false }

    /// Returns the flags by which another command selects the same server, to be copied; empty if none was given.
    static func flags(_ invocation: Invocation) -> String {
        let server = invocation.source(of: ServerURL.option) == .flag ? invocation[ServerURL.option] : nil
        let profile = invocation.flagText(profile.declaration.name).flatMap { ProfileName($0) }
        return ServerSelection.Inputs(server: .init(flag: server), profile: .init(flag: profile)).flags
    }

    /// Whether the token comes from standard input, by the command line or the environment.
    static func takesInput(_ invocation: Invocation) -> Bool { invocation[tokenFile] == "-" }

    // MARK: Tokens

    private func token(of chosen: ServerSelection) throws -> Secret {
        let text: String
        switch chosen.token {
        case .file(let path, _): text = try Self.text(ofToken: path)
        case .variable: text = console.environment[Self.tokenVariable] ?? ""
        case .nowhere: text = ""
        }
        let token = try Self.token(in: text, startingServer: chosen.origin == .usual)
        guard chosen.mayHaveToken else {
            throw RemoteError(
                message: "the token would be sent to \(chosen.server) without encryption",
                advice: "use https, or allow it with 'vitrine profile set \(chosen.insecureProfile) --insecure'",
                exitCode: .notAllowed)
        }
        return token
    }

    /// Reads a token from a file, or from standard input for `-`.
    static func text(ofToken path: String) throws -> String {
        do throws(HostError) {
            return String(decoding: try Files.read(typed: path, limit: 4_096), as: UTF8.self)
        } catch {
            throw RemoteError(
                message: error.message(),
                advice: "set --token-file to a file that contains a token", exitCode: .notFound)
        }
    }

    /// Returns the token in a text. The error of an empty text can suggest to start a server.
    static func token(in text: String, startingServer: Bool = false) throws -> Secret {
        let token = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !token.isEmpty, token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw RemoteError(
                message: token.isEmpty ? "missing token" : "invalid token: expected printable ASCII without spaces",
                advice: (startingServer && token.isEmpty ? "start a development server in this folder with 'vitrine dev'\n" : "")
                    + "set \(tokenVariable), use --token-file, or create a profile; \(tokenHint)",
                exitCode: .notAllowed)
        }
        return Secret(token)
    }
}
