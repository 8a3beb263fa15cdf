package import HTTP
package import HTTPMessages
package import JSON
package import Postgres

/// The problem of a failed request, as defined in RFC 9457.
package struct Problem: Error, Sendable, Equatable {
    /// The stable identifier of a problem, by which a client decides. Other files may define more.
    package struct Code: Sendable, Hashable, ExpressibleByStringLiteral {
        package let text: String
        package init(stringLiteral text: StaticString) { self.text = text.description }
    }

    /// An issue at one location of the body, or in one query parameter.
    package struct FieldError: Sendable, Equatable {
        package enum Location: Sendable, Equatable {
            /// An RFC 6901 JSON Pointer.
            case pointer(String)
            case parameter(String)
        }

        package let location: Location
        package let message: String

        package init(pointer: String, message: String) {
            location = .pointer(pointer)
            self.message = message
        }

        package init(parameter: String, message: String) {
            location = .parameter(parameter)
            self.message = message
        }
    }

    /// A further field of the JSON document.
    package struct Extension: Sendable, Equatable {
        package let name: String
        package let json: [UInt8]
    }

    /// The reason why a cursor is no longer valid, and the way to recover.
    package struct Resync: Sendable, Equatable {
        package let reason: String
        package let recipe: String
        /// The version that replaces any higher version in the local copy; nil to keep the stored versions.
        package let version: Int?
        /// The cursor from which the client continues; nil if it starts again.
        package let cursor: String?
        /// The path at which the client compares digests to find differences in its local copy.
        package let digest: String?
    }

    package let status: Status
    package let code: Code
    /// The cause and the remedy. It contains no data from the request.
    package let detail: String
    /// The path of a list of valid values or of further information.
    package var see: String?
    package var issues: [FieldError] = []
    package var allowed: [Method] = []
    package var expired: Resync?
    /// The number of seconds after which the request may succeed.
    package var retryAfter: Int?
    package var restart: String?
    package var challenge: String?
    /// The tag of the current state, if another one was expected.
    package var tag: EntityTag?
    package var members: [Extension] = []
    /// Whether the problem depends only on the URL and will last. Then caches store it for a minute, and it has no
    /// request ID.
    var isCacheable = false

    package init(_ status: Status, code: Code? = nil, detail: String, see path: String? = nil) {
        self.status = status
        self.code = code ?? Code(status)
        self.detail = detail.prefix(1).uppercased() + detail.dropFirst()
        see = path
        retryAfter = status == .unavailable || status == .tooManyRequests ? 1 : nil
    }
}

extension Problem.Code {
    private static let acronyms: Set<Substring> = ["http", "uri"]

    /// The code in words: "Feed archived" for `feedArchived`, "URI too long" for `uriTooLong`.
    var title: String {
        let message = text.reduce(into: "") { title, letter in
            if letter.isUppercase { title += " \(letter.lowercased())" } else { title.append(letter) }
        }
        let first = message.prefix { $0 != " " }
        let count = Self.acronyms.contains(first) ? first.count : 1
        return message.prefix(count).uppercased() + message.dropFirst(count)
    }

    /// Creates the reason phrase of a status as a code: `notFound`.
    fileprivate init(_ status: Status) {
        let parts = status.reason.split { !$0.isLetter }
        text = parts.enumerated().map { $0 == 0 ? $1.lowercased() : $1.prefix(1).uppercased() + $1.dropFirst().lowercased() }.joined()
    }
}

extension Problem.FieldError: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            switch location {
            case .pointer(let pointer): $0.member("pointer", pointer)
            case .parameter(let name): $0.member("parameter", name)
            }
            $0.member("message", message)
        }
    }
}

extension Problem {
    /// Creates the problem that a client receives for a database failure. The details are in the log.
    package init(_ error: PostgresError) {
        switch error.classification {
        case .badInput:
            self.init(
                .unprocessableContent, code: "invalidValue", detail: "The database rejected a value of the request. Correct the request.")
        case .conflict: self.init(.conflict, detail: "The change conflicts with the current state. Read the current state, then try again.")
        case .retry:
            self.init(.unavailable, code: "contention", detail: "Other requests changed the same data at the same time. Try again.")
        case .unavailable: self.init(.unavailable, code: "databaseUnavailable", detail: "The database does not respond. Try again later.")
        case .bug:
            self.init(
                .internalError,
                detail: "The server failed to process the request. The log of the server has the cause, with this requestId.")
        }
    }
}

extension Problem {
    package func response(id: RequestID? = nil) -> Response {
        let control = isCacheable ? CacheScope.public.cacheControl(fresh: 60) : ResponseField(.cacheControl, "no-store")
        var fields = [ResponseField(.contentType, "application/problem+json"), control]
        if !allowed.isEmpty { fields.append(ResponseField(.allow, allowed.map(\.description).joined(separator: ", "))) }
        if let challenge { fields.append(ResponseField("www-authenticate", challenge)) }
        if let tag { fields.append(ResponseField(.etag, tag.description)) }
        if let retryAfter { fields.append(ResponseField(.retryAfter, "\(retryAfter)")) }
        return Response(status, fields: fields, body: Body(ProblemDocument(problem: self, id: isCacheable ? nil : id).bytes))
    }

    package init(_ error: RequestError) {
        self.init(error.status, detail: "\(error.reason). \(error.remedy)")
    }
}

extension RequestError {
    fileprivate var remedy: String {
        switch status {
        case .contentTooLarge: "Send a smaller body."
        case .targetTooLong: "Send a shorter URL."
        case .headersTooLarge: "Send fewer or shorter headers."
        case .requestTimeout: "Send the request again."
        case .unavailable, .tooManyRequests: "Try again later."
        case .versionNotSupported: "Send the request with HTTP/1.1, or use a client for HTTP/2."
        default: "Correct the request."
        }
    }
}
