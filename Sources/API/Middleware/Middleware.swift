package import HTTP
package import Telemetry

/// Something that happens around every answer.
package struct Middleware: Sendable {
    package typealias Responder = @Sendable (Exchange) -> Answer

    let wrap: @Sendable (Exchange, Responder) -> Answer

    package init(_ wrap: @escaping @Sendable (Exchange, Responder) -> Answer) { self.wrap = wrap }

    /// Changes each response, or looks at it.
    package init(after change: @escaping @Sendable (Exchange, Response) -> Response) {
        wrap = { exchange, next in
            switch next(exchange) {
            case .now(let response): .now(change(exchange, response))
            case .later(let work): .later { loop in change(exchange, await work(loop)) }
            }
        }
    }

    /// The first of the list is the outermost.
    static func chain(_ list: [Middleware], _ responder: @escaping Responder) -> Responder {
        list.reversed().reduce(responder) { next, middleware in { exchange in middleware.wrap(exchange, next) } }
    }
}

extension [Middleware] {
    /// What is around every answer of `vitrine serve`.
    package static func ofServe(_ metrics: RequestMetrics, _ telemetry: Telemetry) -> [Middleware] {
        [.observing(metrics, telemetry), .requestID, .cors]
    }
}
