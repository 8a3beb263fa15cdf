package import EventLoop
package import HTTP
package import HTTPMessages
internal import Postgres

/// A request that has found its route.
package struct Call: Sendable {
    package let request: Request
    /// Who asks, perhaps through a proxy.
    package let client: Request.Client
    package let parameters: PathParameters
    /// What the log and the client know the request by.
    package let id: RequestID
    /// Told of what goes wrong and is not the client's to mend.
    let report: @Sendable (any Error, RequestID) -> Void

    package var head: RequestHead { request.head }

    /// When its answer is of no use any more; for all that is waited for on the way, the database first of all.
    package var deadline: Deadline { request.deadline }

    /// An answer by a task on the loop of the connection. What it throws becomes a problem.
    package func later(_ work: @escaping @Sendable (EventLoop) async throws -> Response) -> Answer {
        .later { loop in
            do { return try await work(loop) } catch { return problem(of: error).response(id: id) }
        }
    }

    private func problem(of error: any Error) -> Problem {
        if let problem = error as? Problem { return problem }
        // Whoever asked is gone.
        if error is CancellationError { return Problem(.unavailable, detail: "The request was given up.") }
        report(error, id)
        if let error = error as? PostgresError { return Problem(error) }
        return Problem(.internalError, detail: "The request met a mistake of the server, which its log tells.")
    }
}
