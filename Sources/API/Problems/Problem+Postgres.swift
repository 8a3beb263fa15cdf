internal import HTTPMessages
package import Postgres

extension Problem {
    /// What a client is told of a failure in the database; the log has the rest.
    package init(_ error: PostgresError) {
        switch error.classification {
        case .badInput: self.init(.unprocessableContent, code: "invalidValue", detail: "The database refuses a value of the request.")
        case .conflict: self.init(.conflict, detail: "Something else stands against it. Read the state that there is, and try again.")
        case .retry: self.init(.unavailable, code: "busy", detail: "Others were changing the same. Try again.")
        case .unavailable: self.init(.unavailable, code: "databaseUnavailable", detail: "The database cannot answer now. Try again.")
        case .bug: self.init(.internalError, detail: "The request met a mistake of the server, which its log tells.")
        }
    }
}
