internal import Access
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Host
internal import Postgres
internal import Security

/// The authentication and authorization of admin requests. It caches no tokens.
package final class Authenticator: Sendable {
    let metrics: AuthMetrics
    private let throttle: Locked<FailedAuthLimiter>
    private let refused: @Sendable (_ prefix: String, _ address: String) -> Void

    /// Creates an authenticator. `refused` is called for each token that was looked up and is not valid, with its
    /// prefix and the address of the client.
    package convenience init(
        _ metrics: AuthMetrics = AuthMetrics(),
        refused: @escaping @Sendable (_ prefix: String, _ address: String) -> Void = { _, _ in }
    ) {
        self.init(metrics, FailedAuthLimiter(), refused: refused)
    }

    init(
        _ metrics: AuthMetrics, _ throttle: FailedAuthLimiter,
        refused: @escaping @Sendable (_ prefix: String, _ address: String) -> Void = { _, _ in }
    ) {
        self.refused = refused
        self.metrics = metrics
        self.throttle = Locked(throttle)
    }

    /// Throws 401 or 429 if that is known without the database, so that requests without a token take no permit.
    func screen(_ context: RequestContext) throws(Problem) {
        if let problem = rejection(of: context.head, from: context.client) { throw problem }
    }

    /// Returns the principal of a screened request. Throws 401, 403 or 429 with a detail that reveals nothing about the
    /// token.
    func curator(of context: RequestContext, needing scope: TokenScope, _ session: PostgresSession) async throws -> Principal {
        guard let token = AccessToken(bearer: context.head.fields[.authorization]) else { throw Problem.invalidToken }
        let curator = try await guarded(ClientNetwork(context.client.address)) {
            try await TokenStore(hashedBy: Digest.sha256, session).curator(with: token) { HMACKey.areEqual($0, $1) }
        }
        guard let curator else {
            metrics.count(.invalid)
            refused(token.prefix, context.client.address)
            throw Problem.invalidToken
        }
        guard curator.scope >= scope else {
            metrics.count(.scope)
            throw Problem.insufficientScope(needed: scope)
        }
        return curator
    }

    func isStillGood(for context: RequestContext, _ curator: Principal, _ session: PostgresSession) async throws -> Bool {
        guard let token = AccessToken(bearer: context.head.fields[.authorization]) else { return false }
        return try await TokenStore(hashedBy: Digest.sha256, session)
            .curator(with: token) { HMACKey.areEqual($0, $1) } == curator
    }

    /// Returns the problem for which the head alone is rejected, before the body is read. A missing or malformed token
    /// does not count as a guess. A client from whose address too many guesses failed has to wait.
    func rejection(of head: RequestHead, from client: Request.Client) -> Problem? {
        guard head.fields.contains(.authorization) else {
            metrics.count(.missing)
            return .missingToken
        }
        guard AccessToken(bearer: head.fields[.authorization]) != nil else {
            metrics.count(.malformed)
            return .invalidToken
        }
        let address = ClientNetwork(client.address)
        guard address != .local, let seconds = throttle.withLock({ $0.wait(of: address, at: .now) }) else { return nil }
        metrics.count(.throttled)
        return .throttled(seconds)
    }

    /// Counts the attempt before it is made, and uncounts it if the token is valid or could not be checked. Clients of
    /// a Unix-domain socket are not counted, because a proxy may connect many clients through it.
    private func guarded(_ address: ClientNetwork, _ body: () async throws -> Principal?) async throws -> Principal? {
        guard address != .local else { return try await body() }
        if let seconds = throttle.withLock({ $0.start(for: address, at: .now) }) {
            metrics.count(.throttled)
            throw Problem.throttled(seconds)
        }
        var isRefused = false
        defer { throttle.withLock { [isRefused] in $0.end(for: address, isRefused: isRefused, at: .now) } }
        let curator = try await body()
        isRefused = curator == nil
        return curator
    }
}

extension AccessToken {
    /// Parses `Authorization: Bearer …`. Returns nil if the value has another form.
    fileprivate init?(bearer field: String?) {
        let parts = field?.split(separator: " ") ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        self.init(String(parts[1]))
    }
}

extension Problem {
    static var missingToken: Problem {
        var problem = Problem(
            .unauthorized, code: "missingToken", detail: "The request requires a token. Send the header Authorization: Bearer TOKEN.")
        problem.challenge = #"Bearer realm="vitrine""#
        return problem
    }

    /// The same problem for a malformed, unknown, expired or revoked token.
    static var invalidToken: Problem {
        var problem = Problem(
            .unauthorized, code: "invalidToken", detail: "The token is unknown, expired or revoked. Create another token.")
        problem.challenge = #"Bearer realm="vitrine", error="invalid_token""#
        return problem
    }

    static func insufficientScope(needed scope: TokenScope) -> Problem {
        var problem = Problem(
            .forbidden, code: "insufficientScope", detail: "The token lacks the scope \(scope.rawValue). Use a token with this scope.")
        problem.challenge = #"Bearer realm="vitrine", error="insufficient_scope", scope="\#(scope.rawValue)""#
        return problem
    }

    static func throttled(_ seconds: Int) -> Problem {
        var problem = Problem(
            .tooManyRequests, code: "tooManyInvalidTokens",
            detail: "This address sent too many invalid tokens. Try again later with a valid token.")
        problem.retryAfter = seconds
        return problem
    }
}
