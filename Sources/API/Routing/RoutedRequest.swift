package import EventLoop
package import HTTP
package import HTTPMessages
internal import Postgres

/// A request that has found its route.
package struct RoutedRequest: Sendable {
    private let exchange: RequestContext
    private let route: Route
    private let places: PathParameterRanges
    /// Told of what goes wrong and is not the client's to mend.
    private let report: @Sendable (any Error, RequestID) -> Void
    /// Does what would hold up the loop.
    let sideWork: SideWork

    init(
        _ exchange: RequestContext, _ route: Route, _ places: PathParameterRanges, sideWork: SideWork,
        report: @escaping @Sendable (any Error, RequestID) -> Void
    ) {
        self.exchange = exchange
        self.route = route
        self.places = places
        self.sideWork = sideWork
        self.report = report
    }

    /// The same with more time for its answer.
    package func lasting(until deadline: Deadline) -> RoutedRequest {
        RoutedRequest(exchange.lasting(until: deadline), route, places, sideWork: sideWork, report: report)
    }

    /// The same with the whole body, which the client is asked for. Throws if it does not come.
    func collectingBody() async throws(Problem) -> RoutedRequest {
        guard let upload = request.upload else { return self }
        do throws(RequestError) {
            return RoutedRequest(exchange.carrying(try await upload.collect()), route, places, sideWork: sideWork, report: report)
        } catch {
            throw Problem(error)
        }
    }

    package var request: Request { exchange.request }

    package var head: RequestHead { exchange.request.head }

    /// Who asks, perhaps through a proxy.
    package var client: Request.Client { exchange.client }

    /// What the log and the client know the request by.
    package var id: RequestID { exchange.id }

    package var parameters: PathParameters { PathParameters(names: route.pattern.names, places: places, target: head.target) }

    /// When its answer is of no use any more; for all that is waited for on the way, the database first of all.
    package var deadline: Deadline { request.deadline }

    /// An answer by a task on the loop of the connection. What it throws becomes a problem.
    package func later(_ work: @escaping @Sendable (EventLoop) async throws -> Response) -> HandlerResult {
        .later(until: deadline) { loop in
            do { return try await work(loop) } catch { return problem(of: error).response(id: id) }
        }
    }

    /// An answer that may be waited for so long, by any number at once: whoever hands it out sees to that.
    func waiting(until deadline: Deadline, _ work: @escaping @Sendable (EventLoop) async throws -> Response) -> HandlerResult {
        .waiting(until: deadline) { loop in
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
        return later { loop in try await response(representation, on: loop) }
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
        if Task.isCancelled { return Problem(.unavailable, detail: "The request was given up.") }
        report(error, id)
        if let error = error as? PostgresError { return Problem(error) }
        return Problem(.internalError, detail: "The request met a mistake of the server, which its log tells.")
    }
}
