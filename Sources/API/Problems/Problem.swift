package import HTTP
package import HTTPMessages
package import JSON
package import Postgres

/// What went wrong with a request, as RFC 9457 lets it be told.
package struct Problem: Error, Sendable, Equatable {
    /// The stable word for what went wrong, which a client decides by; open to those that this file does not name.
    package struct Code: Sendable, Hashable, ExpressibleByStringLiteral {
        package let text: String
        package init(stringLiteral text: StaticString) { self.text = text.description }
    }

    /// A mistake at one place of the body, or in one parameter of the query.
    package struct FieldError: Sendable, Equatable {
        package enum Place: Sendable, Equatable {
            /// As RFC 6901 has it.
            case pointer(String)
            case parameter(String)
        }

        package let place: Place
        package let message: String

        package init(pointer: String, message: String) {
            place = .pointer(pointer)
            self.message = message
        }

        package init(parameter: String, message: String) {
            place = .parameter(parameter)
            self.message = message
        }
    }

    /// More that is told, as a member of its own in JSON.
    package struct Extension: Sendable, Equatable {
        package let name: String
        package let json: [UInt8]
    }

    /// Why a cursor is of no use any more, and how its client goes on.
    package struct Resync: Sendable, Equatable {
        package let reason: String
        package let recipe: String
        /// What is stored with a higher version counts as of this one from now on; nil where it counts as it is.
        package let version: Int?
        /// Nil for the beginning.
        package let cursor: String?
        /// Where what the client has is compared with what there is.
        package let digest: String?
    }

    package let status: Status
    package let code: Code
    /// What happened, and what to do about it; holds nothing that was received.
    package let detail: String
    /// The path that lists what there is, or says more.
    package var see: String?
    package var issues: [FieldError] = []
    package var allowed: [Method] = []
    package var expired: Resync?
    /// In seconds; of what may work later.
    package var retryAfter: Int?
    package var restart: String?
    package var challenge: String?
    /// Of the state that there is, where another was expected.
    package var tag: EntityTag?
    package var members: [Extension] = []

    package init(_ status: Status, code: Code? = nil, detail: String, see path: String? = nil) {
        self.status = status
        self.code = code ?? Code(status)
        self.detail = detail.prefix(1).uppercased() + detail.dropFirst()
        see = path
        retryAfter = status == .unavailable || status == .tooManyRequests ? 1 : nil
    }
}

extension Problem.Code {
    /// The code in words: "Feed archived" for `feedArchived`.
    var title: String {
        let words = text.reduce(into: "") { title, letter in
            if letter.isUppercase { title += " \(letter.lowercased())" } else { title.append(letter) }
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The reason of the status: `notFound`.
    fileprivate init(_ status: Status) {
        let words = status.reason.split { !$0.isLetter }
        text = words.enumerated().map { $0 == 0 ? $1.lowercased() : $1.prefix(1).uppercased() + $1.dropFirst().lowercased() }.joined()
    }
}

extension Problem.FieldError: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            switch place {
            case .pointer(let pointer): $0.member("pointer", pointer)
            case .parameter(let name): $0.member("parameter", name)
            }
            $0.member("message", message)
        }
    }
}

extension Problem {
    /// What a client is told of a failure in the database; the log has the rest.
    package init(_ error: PostgresError) {
        switch error.classification {
        case .badInput:
            self.init(
                .unprocessableContent, code: "invalidValue", detail: "The database rejected a value of the request. Correct the request.")
        case .conflict: self.init(.conflict, detail: "The change conflicts with the current state. Read that state, then try again.")
        case .retry: self.init(.unavailable, code: "contention", detail: "Other requests were changing the same data. Try again.")
        case .unavailable: self.init(.unavailable, code: "databaseUnavailable", detail: "The database is unavailable. Try again later.")
        case .bug: self.init(.internalError, detail: "The server failed to process the request. Its log records the cause.")
        }
    }
}

extension Problem {
    package func response(id: RequestID? = nil) -> Response {
        var fields = [ResponseField(.contentType, "application/problem+json"), ResponseField(.cacheControl, "no-store")]
        if !allowed.isEmpty { fields.append(ResponseField(.allow, allowed.map(\.description).joined(separator: ", "))) }
        if let challenge { fields.append(ResponseField("www-authenticate", challenge)) }
        if let tag { fields.append(ResponseField(.etag, tag.description)) }
        if let retryAfter { fields.append(ResponseField(.retryAfter, "\(retryAfter)")) }
        return Response(status, fields: fields, body: Body(ProblemDocument(problem: self, id: id).bytes))
    }

    package init(_ refusal: RequestError) {
        self.init(refusal.status, detail: "\(refusal.reason).")
    }
}
