/// What a request asks to be done with its target.
package enum Method: Sendable, Hashable, CustomStringConvertible {
    case get, head, post, put, patch, delete, options
    /// A well-formed method that this server has no use for.
    case other(String)

    package init(_ token: String) {
        self =
            switch token {
            case "GET": .get
            case "HEAD": .head
            case "POST": .post
            case "PUT": .put
            case "PATCH": .patch
            case "DELETE": .delete
            case "OPTIONS": .options
            default: .other(token)
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

    /// Whether a request changes nothing, so that it may be repeated.
    package var isSafe: Bool { self == .get || self == .head || self == .options }
}
