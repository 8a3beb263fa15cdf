package import EventLoop
package import HTTP
package import HTTPMessages
internal import Postgres

/// A request with its client, its route and its start time. All middleware and the handler share it.
package final class RequestContext: Sendable {
    package let request: Request
    /// The client for a log, and for a response that does not depend on its address.
    let observedClient: Request.Client
    /// The ID of the request in the log and in the response.
    package let id: RequestID
    package let match: Router.Match
    package let began: Deadline
    /// Whether the response waits for an event, so that its duration says nothing about the server.
    let isWaiting: Bool
    private let application: Application

    init(
        request: consuming Request, client: Request.Client, id: RequestID, match: consuming Router.Match, began: Deadline,
        isWaiting: Bool = false, _ application: Application
    ) {
        self.request = request
        observedClient = client
        self.id = id
        self.match = match
        self.began = began
        self.isWaiting = isWaiting
        self.application = application
    }

    /// Returns the request with another deadline for its response. With `isWaiting`, the time until then is spent
    /// waiting for an event.
    package func lasting(until deadline: Deadline, isWaiting: Bool = false) -> RequestContext {
        RequestContext(
            request: request.waiting(until: deadline), client: observedClient, id: id, match: match, began: began,
            isWaiting: isWaiting || self.isWaiting, application)
    }

    /// Requests the whole body from the client and returns the request with it. Throws if the body does not arrive.
    func collectingBody() async throws(Problem) -> RequestContext {
        guard let upload = request.upload else { return self }
        do throws(RequestError) {
            return RequestContext(
                request: request.carrying(try await upload.collect()), client: observedClient, id: id, match: match, began: began,
                application)
        } catch {
            throw Problem(error)
        }
    }

    package var head: RequestHead { request.head }

    /// The client, which may be connected through a proxy. A response for which it was looked up is not sent to other clients.
    package var client: Request.Client {
        head.fields.noteClient()
        return observedClient
    }

    /// The time after which the response is useless. It limits every wait of the request, above all those for the
    /// database.
    package var deadline: Deadline { request.deadline }

    /// The route; nil if none matches the path and the method.
    package var route: Route? { if case .found(let route, _) = match { route } else { nil } }

    /// The path parameters of the route. A handler always has a route.
    package var parameters: PathParameters {
        guard case .found(let route, let ranges) = match else { preconditionFailure("the request has no route") }
        return PathParameters(names: route.pattern.names, ranges: ranges, target: head.target)
    }

    /// The pattern of the route, by which the request is counted. All requests without a route share one name.
    package var routeName: String { route?.pattern.description ?? RequestMetrics.noRoute }

    /// Whether the path is under the admin API, even if it does not exist.
    var isForCurators: Bool { head.isForCurators }

    var isProbe: Bool { route?.isProbe ?? false }

    /// The runner of work that would block the event loop.
    var sideWork: SideWork { application.sideWork }

    // MARK: Responding

    /// Returns a response that a task makes on the event loop of the connection. Errors become problems.
    package func later(_ work: @escaping @Sendable (EventLoop) async throws -> Response) -> HandlerResult {
        .later(until: deadline) { [self] loop in
            do { return try await work(loop) } catch { return problem(of: error).response(id: id) }
        }
    }

    /// Returns a response that may wait until the deadline. The server does not limit the number of such responses, so
    /// the caller must.
    func waiting(until deadline: Deadline, _ work: @escaping @Sendable (EventLoop) async throws -> Response) -> HandlerResult {
        .waiting(until: deadline) { [self] loop in
            do { return try await work(loop) } catch { return problem(of: error).response(id: id) }
        }
    }

    /// Returns a response from memory. Errors become problems.
    func now(_ work: () throws -> Response) -> HandlerResult {
        do { return .now(try work()) } catch { return .now(problem(of: error).response(id: id)) }
    }

    /// Returns a response from memory or from a task. Errors become problems.
    func respond(_ work: () throws -> HandlerResult) -> HandlerResult {
        do { return try work() } catch { return .now(problem(of: error).response(id: id)) }
    }

    /// Returns a response with a representation. A large one is compressed outside the event loop.
    func respond(_ representation: Representation) -> HandlerResult {
        if let response = smallResponse(representation) { return .now(response) }
        return later { loop in try await self.response(representation, on: loop) }
    }

    /// Returns the response of a representation, without a content coding if the loop has reached its limit of
    /// compressions.
    func response(_ representation: Representation, on loop: EventLoop) async throws -> Response {
        if let response = smallResponse(representation) { return response }
        guard try await sideWork.compress(representation, for: head, on: loop) else {
            return uncached(representation.plainResponse(to: head))
        }
        return uncached(representation.response(to: head))
    }

    /// Returns the response of a representation; nil if it is large and must be compressed for it.
    private func smallResponse(_ representation: Representation) -> Response? {
        representation.response(to: head, compressingUpTo: SideWork.smallest).map(uncached)
    }

    /// Forbids caches to store a failed precondition: it is the result of this client's condition.
    private func uncached(_ response: Response) -> Response {
        var response = response
        if response.status == .preconditionFailed { response.fields.append(ResponseField(.cacheControl, "no-store")) }
        return response
    }

    private func problem(of error: any Error) -> Problem {
        if let problem = error as? Problem { return problem }
        // The client is gone. Every operation that was waiting reports that with a different error.
        if Task.isCancelled { return Problem(.unavailable, detail: "The request was canceled. Send the request again.") }
        application.failed(error, id)
        if let error = error as? PostgresError { return Problem(error) }
        return Problem(
            .internalError, detail: "The server failed to process the request. The log of the server has the cause, with this requestId.")
    }
}

extension RequestHead {
    private static let admin = Array("admin".utf8)

    /// Whether the path is under the admin API, even if it does not exist.
    var isForCurators: Bool { target.segment(target.firstSegment, is: Self.admin.span) }
}
