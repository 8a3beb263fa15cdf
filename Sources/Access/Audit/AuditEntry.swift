package import JSON
package import Values

/// A change that somebody made, as it was written down with it.
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

extension AuditEntry: JSONEncodable {
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
}
