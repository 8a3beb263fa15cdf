package import Postgres
internal import Values

/// The answers to changes that came with a key, each kept from its transaction on, for a day where nobody says otherwise.
package struct IdempotencyStore {
    package enum State: Sendable, Equatable {
        /// Nobody has used the key; it is held until the transaction ends.
        case free
        /// Another transaction holds it.
        case inFlight
        case answered(StoredResponse)
    }

    /// In microseconds.
    private let lifetime: Int
    /// At once, as a change waits for it.
    private let maxForgotten: Int
    private let session: PostgresSession

    /// The session has to be in a transaction, which the change of the request belongs to.
    package init(
        lifetime: Duration = .seconds(86_400), maxForgotten: Int = 100, _ session: PostgresSession
    ) {
        self.maxForgotten = maxForgotten
        self.lifetime = lifetime.wholeMicroseconds
        self.session = session
    }

    /// Takes a key of a curator's own, without waiting for another who has it.
    package func acquire(_ key: String, of curator: Principal) async throws(AccessError) -> State {
        guard try await session.answers(to: PostgresQuery(AccessQueries.takeKey, curator.id, key), as: Bool.self).first == true else {
            return .inFlight
        }
        let rows = try await session.answers(
            to: PostgresQuery(AccessQueries.reply, curator.id, key, lifetime), as: Bytes.self, Int32.self, String?.self, String?.self,
            Bytes.self)
        guard let (hash, status, etag, location, body) = rows.first else { return .free }
        return .answered(
            StoredResponse(requestHash: hash.bytes, status: Int(status), etag: etag, location: location, body: body.bytes))
    }

    /// Keeps an answer with the change, and forgets some whose time is over.
    package func keep(_ reply: StoredResponse, under key: String, of curator: Principal) async throws(AccessError) {
        try await session.answer(
            PostgresQuery(
                AccessQueries.keepReply, curator.id, key, Bytes(reply.requestHash), Int32(clamping: reply.status), reply.etag,
                reply.location,
                Bytes(reply.body), lifetime))
        try await session.answer(PostgresQuery(AccessQueries.forgetReplies, lifetime, maxForgotten))
    }

    /// From where `cancel` takes back what a deed has done, so that its refusal can still be kept.
    package func mark() async throws(AccessError) { try await session.answer(PostgresQuery(AccessQueries.savepoint)) }

    package func cancel() async throws(AccessError) { try await session.answer(PostgresQuery(AccessQueries.rollBack)) }
}

/// What a change was answered, for whoever asks for it again under the same key.
package struct StoredResponse: Sendable, Equatable {
    /// Of all that the request asked for, in 32 bytes.
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
