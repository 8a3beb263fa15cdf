import EventLoop
import HTTPMessages
import Telemetry
import Testing

@testable import API
@testable import HTTP

extension Application {
    /// Creates an application that does not log its responses.
    convenience init(_ routes: [Route], middleware: [Middleware] = [.requestID, .cors], bodyLimit: Int = 65_536) {
        self.init(routes, middleware: middleware, bodyLimit: bodyLimit, metrics: RequestMetrics())
    }

    /// Returns the response to a request as a server would, without a socket.
    func send(_ line: String, _ fields: [String] = [], isEncrypted: Bool = false) async throws -> Response {
        let request = Request(
            head: try head(line, fields), body: [], peer: .init(address: "192.0.2.1", isEncrypted: isEncrypted), deadline: .never)
        let group = try EventLoopGroup(name: "api", count: 1)
        let loop = group.loops[0]
        let result: Result<Response, any Error>
        do {
            result = .success(try await Task(executorPreference: loop) { try await self.send(request, on: loop) }.value)
        } catch { result = .failure(error) }
        await group.stop()
        return try result.get()
    }

    /// Returns the response, and checks it against the OpenAPI document.
    func send(_ request: Request, on loop: EventLoop) async throws -> Response {
        let response =
            switch service.respond(request) {
            case .now(let response): response
            case .later(_, let work), .waiting(_, let work): await work(loop)
            }
        try Contract.judge(response, to: request.head, of: self)
        return response
    }
}

/// Creates a request head from its first line, without the version.
func head(_ line: String, _ fields: [String] = []) throws -> RequestHead {
    let text = ["\(line) HTTP/1.1", "Host: shop"] + fields + ["", ""]
    var reader = HTTP1HeadReader()
    switch reader.read(Array(text.joined(separator: "\r\n").utf8).span) {
    case .head(let head, _): return head
    case .refused(let error): throw error
    case .incomplete: throw RequestError(.badRequest, "incomplete")
    }
}

extension Response {
    private var allFields: [ResponseField] {
        (prepared?.fields ?? []) + (common?.fields ?? []) + fields + (requestID.map { [ResponseField(.xRequestID, $0.text)] } ?? [])
    }

    var fieldNames: [FieldName] { allFields.map(\.name) }

    /// The values of all fields with the name.
    subscript(_ name: FieldName) -> [String] { allFields.filter { $0.name == name }.map(\.value) }

    var text: String {
        guard case .stored(let stored) = body else { return "" }
        return String(decoding: stored.array, as: UTF8.self)
    }
}

extension Route {
    /// Creates a route that responds with its pattern and the values of its parameters.
    static func telling(_ method: Method, _ pattern: PathPattern) -> Route {
        Route(method, pattern) { call in
            let values = call.parameters.names.map { "\($0)=\(call.parameters[$0])" }
            return .now(Response(.ok, body: Body(([pattern.description] + values).joined(separator: " "))))
        }
    }
}
