package import EventLoop
package import HTTP
package import HTTPMessages
internal import Postgres

/// A request with what is known of it: who asks, by what route, since when. Middleware and handlers are handed the same one.
package final class RequestContext: Sendable {
    package let request: Request
    /// Who asks, perhaps through a proxy.
    package let client: Request.Client
    /// What the log and the client know the request by.
    package let id: RequestID
    package let match: Router.Match
    package let began: Deadline
    /// Whether the time until its answer is spent waiting for something to happen, so that it says nothing about the server.
    let isWaiting: Bool
    private let application: Application

    init(
        request: consuming Request, client: Request.Client, id: RequestID, match: consuming Router.Match, began: Deadline,
        isWaiting: Bool = false, _ application: Application
    ) {
        self.request = request
        self.client = client
        self.id = id
        self.match = match
        self.began = began
        self.isWaiting = isWaiting
        self.application = application
    }

    /// The same with another deadline for its answer. The time until then is spent waiting if `isWaiting`.
    package func lasting(until deadline: Deadline, isWaiting: Bool = false) -> RequestContext {
        RequestContext(
            request: request.waiting(until: deadline), client: client, id: id, match: match, began: began,
            isWaiting: isWaiting || self.isWaiting, application)
    }

    /// The same with the whole body, which the client is asked for. Throws if it does not come.
    func collectingBody() async throws(Problem) -> RequestContext {
        guard let upload = request.upload else { return self }
        do throws(RequestError) {
            return RequestContext(
                request: request.carrying(try await upload.collect()), client: client, id: id, match: match, began: began, application)
        } catch {
            throw Problem(error)
        }
    }

    package var head: RequestHead { request.head }

    /// When its answer is of no use any more; for all that is waited for on the way, the database first of all.
    package var deadline: Deadline { request.deadline }

    /// Nil where there is none for the path and the method.
    package var route: Route? { if case .found(let route, _) = match { route } else { nil } }

    /// Those of its route; a handler has one.
    package var parameters: PathParameters {
        guard case .found(let route, let places) = match else { preconditionFailure("the request has no route") }
        return PathParameters(names: route.pattern.names, places: places, target: head.target)
    }

    /// The pattern of its route, by which it is counted; the same for all that have none.
    package var routeName: String { route?.pattern.description ?? RequestMetrics.noRoute }

    /// Whether it is about what takes a token, whether there is such a path or not.
    var isForCurators: Bool { head.isForCurators }

    var isProbe: Bool { route?.isProbe ?? false }

    /// Does what would hold up the loop.
    var sideWork: SideWork { application.sideWork }

    // MARK: Answering

    /// An answer by a task on the loop of the connection. What it throws becomes a problem.
    package func later(_ work: @escaping @Sendable (EventLoop) async throws -> Response) -> HandlerResult {
        .later(until: deadline) { [self] loop in
            do { return try await work(loop) } catch { return problem(of: error).response(id: id) }
        }
    }

    /// An answer that may be waited for so long, by any number at once: whoever hands it out sees to that.
    func waiting(until deadline: Deadline, _ work: @escaping @Sendable (EventLoop) async throws -> Response) -> HandlerResult {
        .waiting(until: deadline) { [self] loop in
            do { return try await work(loop) } catch { return problem(of: error).response(id: id) }
        }
    }

    /// An answer from memory. What it throws becomes a problem.
    func now(_ work: () throws -> Response) -> HandlerResult {
        do { return .now(try work()) } catch { return .now(problem(of: error).response(id: id)) }
    }

    /// An answer from memory or by a task. What is thrown becomes a problem.
    func answer(_ work: () throws -> HandlerResult) -> HandlerResult {
        do { return try work() } catch { return .now(problem(of: error).response(id: id)) }
    }

    /// An answer with a representation, which is compressed beside the loop if it is large.
    func answer(_ representation: Representation) -> HandlerResult {
        if let response = representation.response(to: head, compressingUpTo: SideWork.smallest) { return .now(response) }
        return later { loop in try await self.response(representation, on: loop) }
    }

    /// The response of a representation, without a coding if the loop has as much else compressed already as may be.
    func response(_ representation: Representation, on loop: EventLoop) async throws -> Response {
        if let response = representation.response(to: head, compressingUpTo: SideWork.smallest) { return response }
        guard try await sideWork.compress(representation, for: head, on: loop) else {
            return representation.plainResponse(to: head)
        }
        return representation.response(to: head)
    }

    private func problem(of error: any Error) -> Problem {
        if let problem = error as? Problem { return problem }
        // Whoever asked is gone, and each thing that is waited for has its own way to say so.
        if Task.isCancelled { return Problem(.unavailable, detail: "The request was canceled. Send it again.") }
        application.failed(error, id)
        if let error = error as? PostgresError { return Problem(error) }
        return Problem(.internalError, detail: "The server failed to process the request. Its log records the cause.")
    }
}

extension RequestHead {
    private static let admin = Array("admin".utf8)

    /// Whether it is about what takes a token, whether there is such a path or not.
    var isForCurators: Bool { target.segment(target.firstSegment, is: Self.admin.span) }
}
