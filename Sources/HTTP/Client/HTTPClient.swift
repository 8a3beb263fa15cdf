package import EventLoop
package import HTTPMessages
package import Security

/// Asks one server, by one connection that stays open between requests; for one task at a time, which best prefers the loop.
///
/// Speaks HTTP/1.1, plain or encrypted. An encrypted server has to prove by its certificate that it is the one that was called.
package final class HTTPClient {
    package let server: ServerURL
    package let loop: EventLoop
    private let limits: HTTPClientLimits
    private let encryption: TLSContext?
    private var idle: OutboundConnection?

    /// `authorities` is a PEM file of those that a certificate may come from; nil for those that the system trusts.
    package init(
        _ server: ServerURL, on loop: EventLoop, authorities: String? = nil, limits: HTTPClientLimits = HTTPClientLimits()
    ) throws(TLSError) {
        self.server = server
        self.loop = loop
        self.limits = limits
        encryption = server.isEncrypted ? try TLSContext(trusting: authorities) : nil
    }

    /// Sends a request and waits for the whole answer, whatever its status is. A request that changes nothing is sent again, once, where the
    /// server had ended the connection meanwhile.
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
        let answer = try await connection.exchange(
            request.bytes(to: server), isBodyless: request.method == .head, limits, until: deadline)
        return try response(answer, connection)
    }

    /// Sends a request with a body that comes piece by piece, none of them empty, until there is none; and waits for the whole answer. One that comes
    /// before the end of the body ends the sending. What `next` throws ends the connection, by which the server knows that the body is not whole.
    package func upload(
        _ request: OutboundRequest, until deadline: Deadline, _ next: () async throws -> [UInt8]?
    ) async throws -> InboundResponse {
        idle = nil
        let connection = try await OutboundConnection.connect(to: server, encryption, on: loop, within: limits.connect, until: deadline)
        return try response(try await connection.upload(request.uploadHead(to: server), limits, until: deadline, next), connection)
    }

    private func response(
        _ answer: OutboundConnection.Answer, _ connection: OutboundConnection
    ) throws(HTTPClientError) -> InboundResponse {
        if answer.isReusable { idle = connection }
        return InboundResponse(status: answer.head.status, fields: answer.head.fields, body: try decoded(answer.body, answer.head))
    }

    private func decoded(_ body: [UInt8], _ head: ResponseHead) throws(HTTPClientError) -> [UInt8] {
        guard !body.isEmpty, let coding = head.fields.list(.contentEncoding)?.lowercased(), coding != "identity" else { return body }
        guard coding == "gzip" else { throw HTTPClientError(.malformed, at: server.name, "a content coding that was not asked for") }
        switch ContentCoding.gunzip(body, limit: limits.bodyBytes) {
        case .success(let bytes): return bytes
        case .failure(.damaged): throw HTTPClientError(.malformed, at: server.name, "a damaged body")
        case .failure(.tooLarge): throw HTTPClientError(.tooLarge, at: server.name, "a body of more than \(limits.bodyBytes) bytes")
        }
    }
}

package struct HTTPClientLimits: Sendable {
    package var head = HTTP1Limits()
    /// Of a body, before and behind its content coding.
    package var bodyBytes = 64 << 20
    /// For one address of the server to take the connection, encryption included.
    package var connect = Duration.seconds(10)

    package init() {}
}

/// An answer as a client gets it: whole, and without its content coding.
package struct InboundResponse: Sendable {
    package let status: Status
    package let fields: HTTPFields
    package let body: [UInt8]

    /// After how many seconds the server wants to be asked again; nil where it says nothing of it, or names a date.
    package var retryAfter: Int? { fields[.retryAfter].flatMap { $0.utf8.count <= 9 ? Int($0) : nil } }
}
