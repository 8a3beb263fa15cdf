package import JSON
package import Postgres
package import Values

/// The append-only log of admin changes.
package struct AuditStore {
    private let session: PostgresSession

    package init(_ session: PostgresSession) {
        self.session = session
    }

    /// Records a change in the current transaction, so that a rollback discards the entry too. Without a curator, the
    /// entry names the database user.
    package func record(_ change: AuditedChange, by curator: Principal?, request: String?) async throws(AccessError) {
        try await record(change, token: curator?.id, actor: curator?.name, request: request)
    }

    /// Records a change by an actor that may have no token.
    package func record(_ change: AuditedChange, token: UUID?, actor: String?, request: String?) async throws(AccessError) {
        try await session.queryResult(
            PostgresQuery(
                AccessQueries.record, token, actor, change.action.rawValue, change.feed, change.subject,
                change.before.map(JSONBytes.init), change.after.map(JSONBytes.init), request))
    }

    /// Returns the newest entries whose number is less than `number`, newest first.
    package func entries(_ filter: AuditFilter, below number: Int? = nil, limit: Int) async throws(AccessError) -> [AuditEntry] {
        let query = PostgresQuery(AccessQueries.audit, filter.feed, filter.actor, filter.since, number, limit)
        let rows = try await session.queryResults(
            to: query, as: Int.self, Timestamp.self, UUID?.self, String.self, String.self, String?.self, String.self, JSONBytes?.self,
            JSONBytes?.self, String?.self)
        return rows.map { number, at, token, actor, action, feed, subject, before, after, request in
            AuditEntry(
                number: number, at: at, token: token, actor: actor, action: action, feed: feed, subject: subject, before: before?.bytes,
                after: after?.bytes, request: request)
        }
    }
}

package struct AuditEntry: Sendable, Equatable {
    /// The number of the entry. Numbers increase with time and may have gaps.
    package let number: Int
    package let at: Timestamp
    /// The ID of the token that made the change; nil if a command changed the database directly.
    package let token: UUID?
    package let actor: String
    package let action: String
    package let feed: String?
    package let subject: String
    /// The previous state in JSON.
    package let before: [UInt8]?
    package let after: [UInt8]?
    package let request: String?
}

extension AuditEntry: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("id", number)
        json.member("createdAt", at.description)
        json.member("actor") { json in
            json.member("name", actor)
            json.member("tokenId", token?.description)
        }
        json.member("action", action)
        json.member("feed", feed)
        json.member("resource", subject)
        json.member("before", rendered: before)
        json.member("after", rendered: after)
        json.member("requestId", request)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        number = try object.value("id")
        at = try object.value("createdAt")
        let actor: NamedActor = try object.value("actor")
        (self.actor, token) = (actor.name, actor.token)
        action = try object.value("action")
        feed = object.optional("feed")
        subject = try object.value("resource")
        before = object.optional("before", as: JSONValue.self).flatMap { try? $0.json() }
        after = object.optional("after", as: JSONValue.self).flatMap { try? $0.json() }
        request = object.optional("requestId")
    }

    private struct NamedActor: JSONObjectDecodable {
        let name: String
        let token: UUID?

        init(_ object: inout JSONObjectReader) throws(JSONReadError) {
            name = try object.value("name")
            token = object.optional("tokenId")
        }
    }
}
