internal import Catalog
package import Curating
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Host
internal import Postgres
internal import Security

/// Lets in whoever shows a good token with enough of a scope. Nothing is remembered of a token.
package final class AdminAccess: Sendable {
    let figures: AccessFigures
    private let queries: CuratingQueries
    private let throttle: Locked<FailureThrottle>

    package convenience init(_ queries: CuratingQueries, _ figures: AccessFigures = AccessFigures()) {
        self.init(queries, figures, FailureThrottle())
    }

    init(_ queries: CuratingQueries, _ figures: AccessFigures, _ throttle: FailureThrottle) {
        self.queries = queries
        self.figures = figures
        self.throttle = Locked(throttle)
    }

    /// Who asks. Throws 401, 403 or 429, in words that tell nothing of the token.
    func curator(of call: Call, needing scope: TokenScope, run: @escaping CatalogReader.Run) async throws -> Curator {
        let address = AddressBlock(call.client.address)
        if let seconds = throttle.withLock({ $0.wait(of: address, at: .now) }) {
            figures.count(.throttled)
            throw Problem.throttled(seconds)
        }
        guard call.head.fields.contains(.authorization) else {
            figures.count(.missing)
            throw Problem.tokenMissing
        }
        guard let token = AccessToken(bearer: call.head.fields[.authorization]) else { throw refusal(.malformed, of: address) }
        let store = TokenStore(queries, hashedBy: Digest.sha256, run: run)
        guard let curator = try await store.curator(with: token, comparedBy: { MessageKey.areEqual($0, $1) }) else {
            throw refusal(.refused, of: address)
        }
        guard curator.scope >= scope else {
            figures.count(.scope)
            throw Problem.scopeTooSmall(needed: scope)
        }
        return curator
    }

    private func refusal(_ reason: AccessFigures.Reason, of address: AddressBlock) -> Problem {
        figures.count(reason)
        throttle.withLock { $0.noteFailure(of: address, at: .now) }
        return .tokenRefused
    }
}

extension AccessToken {
    /// Of `Authorization: Bearer …`; nil for anything else.
    fileprivate init?(bearer field: String?) {
        let words = field?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        self.init(String(words[1]))
    }
}
