internal import Commands
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Host
internal import Telemetry

/// The admin API of a server for the length of a command, with the token of whoever runs it.
struct RemoteSession {
    /// No settings: a server has no use for them.
    static let tokenVariable = "VITRINE_TOKEN"
    static let tokenFileVariable = "VITRINE_TOKEN_FILE"

    private static let tokenFile = Option(
        "token-file", .file, environment: tokenFileVariable,
        "Where the token is, or - for standard input; goes before \(tokenVariable), which has the token itself.")

    /// For all that asks the admin API.
    static let options: [any OptionDeclaring] = [ServerURL.option, tokenFile]

    let console: Console

    /// Runs a body that asks the server; nil where it was interrupted.
    func run<Answer: Sendable>(
        _ invocation: Invocation, _ body: @escaping @Sendable (RemoteServer) async throws -> Answer
    ) throws -> Answer? {
        try run(at: invocation[ServerURL.option], try token(invocation), body)
    }

    func run<Answer: Sendable>(
        at server: ServerURL, _ token: Secret, _ body: @escaping @Sendable (RemoteServer) async throws -> Answer
    ) throws -> Answer? {
        // Before any thread that could take them instead.
        Signal.hold(Signal.stopping)
        Signal.ignoreBrokenPipes()
        return try LoopSession(interrupts: Signal.stopping).run { loop in
            do {
                return try await body(RemoteServer(client: try HTTPClient(server, on: loop), token: token))
            } catch let error as HTTPClientError {
                throw RemoteFailure(error)
            }
        }
    }

    private func token(_ invocation: Invocation) throws -> Secret { try token(in: invocation[Self.tokenFile]) }

    func token(in file: String?) throws -> Secret {
        let text: String
        if let path = file {
            do throws(HostError) {
                text = String(decoding: try Files.read(path == "-" ? "/dev/stdin" : path, limit: 4_096), as: UTF8.self)
            } catch {
                throw RemoteFailure(message: "\(error)", advice: "Name a file that has a token by --token-file.", exitCode: .notFound)
            }
        } else {
            text = console.environment[Self.tokenVariable] ?? ""
        }
        let token = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !token.isEmpty, token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw RemoteFailure(
                message: token.isEmpty ? "there is no token" : "what should be a token is none",
                advice: "Set \(Self.tokenVariable), or name a file by --token-file; vitrine token create makes one.", exitCode: .notAllowed)
        }
        return Secret(token)
    }
}
