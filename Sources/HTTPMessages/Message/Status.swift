package struct Status: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: Int

    /// Creates a status from 100 to 599.
    package init(rawValue: Int) {
        precondition((100...599).contains(rawValue), "a status has three digits")
        self.rawValue = rawValue
    }

    package static let `continue` = Status(rawValue: 100)
    package static let ok = Status(rawValue: 200)
    package static let created = Status(rawValue: 201)
    package static let noContent = Status(rawValue: 204)
    package static let notModified = Status(rawValue: 304)
    package static let permanentRedirect = Status(rawValue: 308)
    package static let badRequest = Status(rawValue: 400)
    package static let unauthorized = Status(rawValue: 401)
    package static let forbidden = Status(rawValue: 403)
    package static let notFound = Status(rawValue: 404)
    package static let methodNotAllowed = Status(rawValue: 405)
    package static let notAcceptable = Status(rawValue: 406)
    package static let requestTimeout = Status(rawValue: 408)
    package static let conflict = Status(rawValue: 409)
    package static let gone = Status(rawValue: 410)
    package static let preconditionFailed = Status(rawValue: 412)
    package static let contentTooLarge = Status(rawValue: 413)
    package static let targetTooLong = Status(rawValue: 414)
    package static let unsupportedMediaType = Status(rawValue: 415)
    package static let expectationFailed = Status(rawValue: 417)
    package static let misdirectedRequest = Status(rawValue: 421)
    package static let unprocessableContent = Status(rawValue: 422)
    package static let preconditionRequired = Status(rawValue: 428)
    package static let tooManyRequests = Status(rawValue: 429)
    package static let headersTooLarge = Status(rawValue: 431)
    package static let internalError = Status(rawValue: 500)
    package static let notImplemented = Status(rawValue: 501)
    package static let unavailable = Status(rawValue: 503)
    package static let versionNotSupported = Status(rawValue: 505)

    /// Whether a response with this status has no body, whatever its headers are.
    package var hasNoBody: Bool { rawValue < 200 || self == .noContent || self == .notModified }

    package var description: String { "\(rawValue) \(reason)" }

    /// The reason phrase in the IANA registry.
    package var reason: String {
        switch rawValue {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Status"
        }
    }
}
