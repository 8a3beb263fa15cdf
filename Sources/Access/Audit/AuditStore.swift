package import JSON
package import Postgres
package import Values

/// What was done, and by whom. Nothing in it is ever changed.
package struct AuditStore {
    private let session: PostgresSession

    package init(_ session: PostgresSession) {
        self.session = session
    }

    /// Writes down a change of the same transaction, which takes it back where it is rolled back. Without a curator the user of the
    /// database is named.
    package func record(_ change: AuditedChange, by curator: Principal?, request: String?) async throws(AccessError) {
        try await record(change, token: curator?.id, actor: curator?.name, request: request)
    }

    /// By whoever it was, with a token or without.
    package func record(_ change: AuditedChange, token: UUID?, actor: String?, request: String?) async throws(AccessError) {
        try await session.answer(
            PostgresQuery(
                AccessQueries.record, token, actor, change.action.rawValue, change.feed, change.subject,
                change.before.map(JSONBytes.init), change.after.map(JSONBytes.init), request))
    }

    /// The newest first, below a number.
    package func entries(_ filter: AuditFilter, below number: Int? = nil, limit: Int) async throws(AccessError) -> [AuditEntry] {
        let query = PostgresQuery(AccessQueries.audit, filter.feed, filter.actor, filter.since, number, limit)
        let rows = try await session.answers(
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
    /// Grows with time; not without gaps.
    package let number: Int
    package let at: Timestamp
    /// Nil for a command that worked in the database itself.
    package let token: UUID?
    package let actor: String
    package let action: String
    package let feed: String?
    package let subject: String
    /// In JSON.
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
