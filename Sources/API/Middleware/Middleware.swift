package import HTTP
internal import HTTPMessages
package import Telemetry

/// Something that happens around every answer.
package struct Middleware: Sendable {
    /// What is answered in place of the route; nil to go on.
    let answer: (@Sendable (RequestContext) -> HandlerResult?)?
    /// Changes each response, or looks at it; also one of its own, and those of the ones behind it.
    let finish: @Sendable (RequestContext, inout Response) -> Void

    package init(
        answer: (@Sendable (RequestContext) -> HandlerResult?)? = nil,
        finish: @escaping @Sendable (RequestContext, inout Response) -> Void = { _, _ in }
    ) {
        self.answer = answer
        self.finish = finish
    }
}

extension [Middleware] {
    /// What is around every answer of `vitrine serve`.
    package static func ofServe(_ metrics: RequestMetrics, _ telemetry: Telemetry) -> [Middleware] {
        [.observing(metrics, telemetry), .requestID, .forwarding, .cors]
    }

    /// The first of the list is the outermost: those behind one that answers are passed by.
    func around(_ context: RequestContext, _ answer: (RequestContext) -> HandlerResult) -> HandlerResult {
        for place in indices {
            if let answer = self[place].answer?(context) { return finish(answer, context, from: place) }
        }
        return finish(answer(context), context, from: count - 1)
    }

    private func finish(_ answer: consuming HandlerResult, _ context: RequestContext, from last: Int) -> HandlerResult {
        switch answer {
        case .now(var response):
            finish(&response, context, from: last)
            return .now(response)
        case .later(let deadline, let work):
            let context = deadline.map { context.lasting(until: $0) } ?? context
            return .later(until: deadline) { loop in
                var response = await work(loop)
                finish(&response, context, from: last)
                return response
            }
        case .waiting(let deadline, let work):
            let context = context.lasting(until: deadline, isWaiting: true)
            return .waiting(until: deadline) { loop in
                var response = await work(loop)
                finish(&response, context, from: last)
                return response
            }
        }
    }

    private func finish(_ response: inout Response, _ context: RequestContext, from last: Int) {
        // What the server would refuse is refused before anybody takes it for the answer.
        do throws(RequestError) {
            try context.request.checkRoom(for: response)
        } catch {
            response = Problem(error).response(id: context.id)
        }
        for place in stride(from: last, through: 0, by: -1) { self[place].finish(context, &response) }
    }
}
