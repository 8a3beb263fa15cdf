package import EventLoop
package import HTTP
internal import HTTPMessages

/// A request on its way through the middleware, whether it has a route or not.
package final class RequestContext: Sendable {
    package let request: Request
    /// Who asks, perhaps through a proxy.
    package let client: Request.Client
    package let id: RequestID
    package let match: Router.Match
    package let began: Deadline
    /// Whether the time until its answer is spent waiting for something to happen, so that it says nothing about the server.
    let isWaiting: Bool

    init(
        request: consuming Request, client: Request.Client, id: RequestID, match: consuming Router.Match, began: Deadline,
        isWaiting: Bool = false
    ) {
        self.request = request
        self.client = client
        self.id = id
        self.match = match
        self.began = began
        self.isWaiting = isWaiting
    }

    /// The same with more time, which is spent waiting if `isWaiting`.
    func lasting(until deadline: Deadline, isWaiting: Bool = false) -> RequestContext {
        RequestContext(
            request: request.waiting(until: deadline), client: client, id: id, match: match, began: began,
            isWaiting: isWaiting || self.isWaiting)
    }

    /// The same with a body that was collected from the upload.
    func carrying(_ body: [UInt8]) -> RequestContext {
        RequestContext(request: request.carrying(body), client: client, id: id, match: match, began: began)
    }

    /// Nil where there is none for the path and the method.
    package var route: Route? { if case .found(let route, _) = match { route } else { nil } }

    /// The pattern of its route, by which it is counted; the same for all that have none.
    package var routeName: String { route?.pattern.description ?? RequestMetrics.noRoute }

    /// Whether it is about what takes a token, whether there is such a path or not.
    var isForCurators: Bool {
        request.head.isForCurators
    }

    /// Whether it is one of those that watch the server.
    var isProbe: Bool { route?.isProbe ?? false }
}

extension RequestHead {
    private static let admin = Array("admin".utf8)

    /// Whether it is about what takes a token, whether there is such a path or not.
    var isForCurators: Bool { target.segment(target.firstSegment, is: Self.admin.span) }
}
