package import EventLoop
package import HTTP
internal import HTTPMessages

/// A request on its way through the middleware, whether it has a route or not.
package final class Exchange: Sendable {
    package let request: Request
    package let id: RequestID
    package let match: Router.Match
    package let began: Deadline

    init(request: Request, id: RequestID, match: Router.Match, began: Deadline) {
        self.request = request
        self.id = id
        self.match = match
        self.began = began
    }

    /// The pattern of its route, by which it is counted; the same for all that have none.
    package var routeName: String {
        switch match {
        case .found(let route, _): route.pattern.description
        case .wrongMethod, .notFound: "none"
        }
    }

    /// Whether it is one of those that watch the server.
    var isProbe: Bool {
        if case .found(let route, _) = match { route.isProbe } else { false }
    }
}
