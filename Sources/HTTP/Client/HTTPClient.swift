package import EventLoop
package import HTTPMessages
package import Security

/// A client of one server with one persistent HTTP/1.1 connection, plain or encrypted. Only one task at a time may use
/// it, preferably on its event loop.
///
/// With encryption, the certificate of the server must match the requested host.
package final class HTTPClient {
    package let server: ServerURL
    package let loop: EventLoop
    private let limits: HTTPClientLimits
    private let encryption: TLSContext?
    private var idle: OutboundConnection?

    /// Creates a client. `authorities` is a PEM file of trusted certificate authorities; nil means those of the system.
    package init(
        _ server: ServerURL, on loop: EventLoop, authorities: String? = nil, limits: HTTPClientLimits = HTTPClientLimits()
    ) throws(TLSError) {
        self.server = server
        self.loop = loop
        self.limits = limits
        encryption = server.isEncrypted ? try TLSContext(trusting: authorities) : nil
    }

    /// Sends a request, and returns the whole response, whatever its status is. Repeats a safe request once if the
    /// server has closed the idle connection.
    package func send(_ request: OutboundRequest, until deadline: Deadline) async throws(HTTPClientError) -> InboundResponse {
        if let connection = idle {
            idle = nil
            do throws(HTTPClientError) {
                return try await exchange(request, connection, until: deadline)
            } catch {
                guard error.code == .ended, !connection.hasHeard, request.method.isSafe else { throw error }
            }
        }
        let connection = try await OutboundConnection.connect(to: server, encryption, on: loop, within: limits.connect, until: deadline)
        return try await exchange(request, connection, until: deadline)
    }

    private func exchange(
        _ request: OutboundRequest, _ connection: OutboundConnection, until deadline: Deadline
    ) async throws(HTTPClientError) -> InboundResponse {
        do throws(HTTPClientError) {
            let reply = try await connection.exchange(
                request.bytes(to: server), isBodyless: request.method == .head, limits, until: deadline)
            return try response(reply, connection)
        } catch {
            var error = error
            error.mayHaveArrived = true
            throw error
        }
    }

    /// Sends a request with a body in nonempty pieces until `next` returns nil, and returns the whole response.
    ///
    /// An early response ends the upload. If `next` throws, the connection closes, so that the server sees an
    /// incomplete body.
    package func upload(
        _ request: OutboundRequest, until deadline: Deadline, _ next: () async throws -> [UInt8]?
    ) async throws -> InboundResponse {
        idle = nil
        let connection = try await OutboundConnection.connect(to: server, encryption, on: loop, within: limits.connect, until: deadline)
        return try response(try await connection.upload(request.uploadHead(to: server), limits, until: deadline, next), connection)
    }

    private func response(
        _ reply: OutboundConnection.ReceivedResponse, _ connection: OutboundConnection
    ) throws(HTTPClientError) -> InboundResponse {
        if reply.isReusable { idle = connection }
        return InboundResponse(status: reply.head.status, fields: reply.head.fields, body: try decoded(reply.body, reply.head))
    }

    private func decoded(_ body: [UInt8], _ head: ResponseHead) throws(HTTPClientError) -> [UInt8] {
        guard !body.isEmpty, let coding = head.fields.list(.contentEncoding)?.lowercased(), coding != "identity" else { return body }
        guard coding == "gzip" else { throw HTTPClientError(.malformed, at: server.name, "the content coding was not requested") }
        switch Deflate.gunzip(body, limit: limits.bodyBytes) {
        case .success(let bytes): return bytes
        case .failure(.damaged): throw HTTPClientError(.malformed, at: server.name, "the compressed body is damaged")
        case .failure(.tooLarge): throw HTTPClientError(.tooLarge, at: server.name, "the body has more than \(limits.bodyBytes) bytes")
        }
    }
}

package struct HTTPClientLimits: Sendable {
    package var head = HTTP1Limits()
    /// The maximum size of a response body, with and without its content coding.
    package var bodyBytes = 64 << 20
    /// The time to connect to one address, including the TLS handshake.
    package var connect = Duration.seconds(10)

    package init() {}
}

/// A complete response without its content coding.
package struct InboundResponse: Sendable {
    package let status: Status
    package let fields: HTTPFields
    package let body: [UInt8]

    /// The seconds after which the server wants a retry. Nil if the field is absent or a date.
    package var retryAfter: Int? { fields[.retryAfter].flatMap { $0.utf8.count <= 9 ? Int($0) : nil } }
}
