internal import EventLoop
internal import HTTPMessages

extension OutboundConnection {
    /// The time to wait for 100 Continue before the body is sent anyway.
    private static let timeout = Duration.seconds(20)

    /// Sends a body in pieces, unless the response arrives first.
    func upload(
        _ head: [UInt8], _ limits: HTTPClientLimits, until deadline: Deadline, _ next: () async throws -> [UInt8]?
    ) async throws -> ReceivedResponse {
        try await send(head, until: deadline)
        let isContinued = try await waitForContinue(limits, until: deadline)
        var isWhole = false
        if isContinued {
            // After an early response, the server does not need the rest of the body.
            while !isWhole, !hasResponse(limits) {
                let piece = try await next()
                let part = piece.map { Array("\(String($0.count, radix: 16))\r\n".utf8) + $0 + Array("\r\n".utf8) }
                guard try await sendPart(part ?? Array("0\r\n\r\n".utf8), until: deadline) else { break }
                isWhole = piece == nil
            }
        }
        var response = try await receiveResponse(isBodyless: false, limits, until: deadline)
        if !isWhole { response.isReusable = false }
        return response
    }

    /// Returns false if the response arrived instead.
    private func waitForContinue(_ limits: HTTPClientLimits, until deadline: Deadline) async throws(HTTPClientError) -> Bool {
        let limit = min(deadline, .after(Self.timeout))
        do throws(HTTPClientError) {
            while true {
                var reader = ResponseHeadReader(limits.head, isBodyless: false)
                let bytes = input
                switch reader.read(bytes.span) {
                case .head(let head, _) where head.status.rawValue >= 200: return false
                case .head(let head, let count):
                    forget(count)
                    if head.status.rawValue == 100 { return true }
                case .refused(let failure): throw HTTPClientError(failure, at: serverAddress)
                case .incomplete: guard try await receive(until: limit) else { throw HTTPClientError(.ended, at: serverAddress) }
                }
            }
        } catch {
            guard error.code == .timedOut, limit < deadline else { throw error }
            return true
        }
    }

    /// Whether more than an interim response has arrived.
    private func hasResponse(_ limits: HTTPClientLimits) -> Bool {
        guard hasInput else { return false }
        while true {
            var reader = ResponseHeadReader(limits.head, isBodyless: false)
            let bytes = input
            guard case .head(let head, let count) = reader.read(bytes.span), head.status.rawValue < 200 else { return true }
            forget(count)
            if input.isEmpty { return false }
        }
    }

    /// Returns false if the server accepts no more. Its response has the reason.
    private func sendPart(_ bytes: [UInt8], until deadline: Deadline) async throws(HTTPClientError) -> Bool {
        do throws(HTTPClientError) { try await send(bytes, until: deadline) } catch {
            guard error.code == .ended else { throw error }
            return false
        }
        return true
    }
}
