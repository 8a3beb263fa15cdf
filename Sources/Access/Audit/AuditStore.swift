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

extension AuditEntry: JSONEncodable, JSONDecodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("number", number)
            json.member("at", at.description)
            json.member("actor") { json in
                json.member("name", actor)
                json.member("token", token?.description)
            }
            json.member("action", action)
            json.member("feed", feed)
            json.member("subject", subject)
            if let before {
                json.key("before")
                json.rendered(before)
            }
            if let after {
                json.key("after")
                json.rendered(after)
            }
            json.member("requestId", request)
        }
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let number = object.required("number", as: Int.self)
        let at = object.required("at", as: Timestamp.self)
        let actor = object.required("actor", as: NamedActor.self)
        let action = object.required("action", as: String.self)
        feed = object.optional("feed")
        let subject = object.required("subject", as: String.self)
        before = object.optional("before", as: JSONValue.self).flatMap { try? $0.json() }
        after = object.optional("after", as: JSONValue.self).flatMap { try? $0.json() }
        request = object.optional("requestId")
        try object.finish()
        self.number = try number()
        self.at = try at()
        (self.actor, token) = (try actor().name, try actor().token)
        self.action = try action()
        self.subject = try subject()
    }

    private struct NamedActor: JSONDecodable {
        let name: String
        let token: UUID?

        init(from json: JSONReader) throws(JSONReadError) {
            var object = try json.object()
            let name = object.required("name", as: String.self)
            token = object.optional("token")
            try object.finish()
            self.name = try name()
        }
    }
}
