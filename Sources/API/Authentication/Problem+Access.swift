internal import Access
internal import HTTPMessages

extension Problem {
    static var tokenMissing: Problem {
        var problem = Problem(.unauthorized, code: "tokenMissing", detail: "This path takes a token, as Authorization: Bearer vtr_….")
        problem.challenge = #"Bearer realm="vitrine""#
        return problem
    }

    /// The same for what is no token and for one that is wrong, unknown, over or revoked.
    static var tokenRefused: Problem {
        var problem = Problem(
            .unauthorized, code: "tokenRefused", detail: "The token is not, or not any more, one that opens anything here.")
        problem.challenge = #"Bearer realm="vitrine", error="invalid_token""#
        return problem
    }

    static func scopeTooSmall(needed scope: TokenScope) -> Problem {
        var problem = Problem(.forbidden, code: "scopeTooSmall", detail: "This takes a token with the scope \(scope.rawValue).")
        problem.challenge = #"Bearer realm="vitrine", error="insufficient_scope", scope="\#(scope.rawValue)""#
        return problem
    }

    static func throttled(_ seconds: Int) -> Problem {
        var problem = Problem(
            .tooManyRequests, code: "tooManyFailures", detail: "Too many tokens from this address were refused. Wait before the next.")
        problem.retryAfter = seconds
        return problem
    }
}
