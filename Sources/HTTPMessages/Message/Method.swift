package enum Method: Sendable, Hashable, CustomStringConvertible {
    case get, head, post, put, patch, delete, options
    /// A well-formed method that this server does not implement.
    case other(String)

    package init(_ token: Span<UInt8>) {
        self =
            if token.isExactly("GET") {
                .get
            } else if token.isExactly("HEAD") {
                .head
            } else if token.isExactly("POST") {
                .post
            } else if token.isExactly("PUT") {
                .put
            } else if token.isExactly("PATCH") {
                .patch
            } else if token.isExactly("DELETE") {
                .delete
            } else if token.isExactly("OPTIONS") {
                .options
            } else {
                .other(token.text)
            }
    }

    package var description: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .other(let token): token
        }
    }

    /// Whether the method is safe: a request changes nothing and can be repeated.
    package var isSafe: Bool { self == .get || self == .head || self == .options }
}
