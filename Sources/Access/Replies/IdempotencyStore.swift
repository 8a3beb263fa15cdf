package import Postgres
internal import Values

/// The responses to requests with an idempotency key. Each is stored in the transaction of its change, by default for a
/// day.
package struct IdempotencyStore {
    package enum State: Sendable, Equatable {
        /// The key is unused. The current transaction holds it until it ends.
        case free
        /// Another transaction holds the key.
        case inFlight
        case stored(StoredResponse)
    }

    /// The time for which a response is stored, in microseconds.
    private let lifetime: Int
    /// The maximum number of expired responses that one call deletes, because a change waits for the deletion.
    private let maxForgotten: Int
    private let session: PostgresSession

    /// Creates a store on a session that is inside the transaction of the request's change.
    package init(
        lifetime: Duration = .seconds(86_400), maxForgotten: Int = 100, _ session: PostgresSession
    ) {
        self.maxForgotten = maxForgotten
        self.lifetime = lifetime.wholeMicroseconds
        self.session = session
    }

    /// Locks a curator's key, without waiting for another request that holds it.
    package func acquire(_ key: String, of curator: Principal) async throws(AccessError) -> State {
        guard try await session.queryResults(to: PostgresQuery(AccessQueries.takeKey, curator.id, key), as: Bool.self).first == true else {
            return .inFlight
        }
        let rows = try await session.queryResults(
            to: PostgresQuery(AccessQueries.reply, curator.id, key, lifetime), as: Bytes.self, Int32.self, String?.self, String?.self,
            Bytes.self)
        guard let (hash, status, etag, location, body) = rows.first else { return .free }
        return .stored(
            StoredResponse(requestHash: hash.bytes, status: Int(status), etag: etag, location: location, body: body.bytes))
    }

    /// Stores a response in the transaction of the change, and deletes some expired responses.
    package func keep(_ reply: StoredResponse, under key: String, of curator: Principal) async throws(AccessError) {
        try await session.queryResult(
            PostgresQuery(
                AccessQueries.keepReply, curator.id, key, Bytes(reply.requestHash), Int32(clamping: reply.status), reply.etag,
                reply.location,
                Bytes(reply.body), lifetime))
        try await session.queryResult(PostgresQuery(AccessQueries.forgetReplies, lifetime, maxForgotten))
    }

    /// Sets the savepoint that `cancel` rolls back to, so that the response to a failed change can still be stored.
    package func mark() async throws(AccessError) { try await session.queryResult(PostgresQuery(AccessQueries.savepoint)) }

    package func cancel() async throws(AccessError) { try await session.queryResult(PostgresQuery(AccessQueries.rollBack)) }
}

/// The response to a change, which is repeated for a request with the same key.
package struct StoredResponse: Sendable, Equatable {
    /// The hash of the whole request, in 32 bytes.
    package let requestHash: [UInt8]
    package let status: Int
    package let etag: String?
    package let location: String?
    package let body: [UInt8]

    package init(requestHash: [UInt8], status: Int, etag: String?, location: String?, body: [UInt8]) {
        self.requestHash = requestHash
        self.status = status
        self.etag = etag
        self.location = location
        self.body = body
    }
}
