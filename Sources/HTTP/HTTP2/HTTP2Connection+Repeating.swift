internal import EventLoop
internal import HTTPMessages

extension HTTP2Connection {
    /// Sends a ready response to the request on a stream, whose head is complete and which has no body, as the handler would respond
    /// to it. Returns false if there is no such response.
    func repeatResponse(on stream: HTTP2Stream) -> Bool {
        // A refused head has only a part of the fields.
        guard let session, session.head.error == nil, !server.ready.isEmpty, !server.isShuttingDown else { return false }
        return session.head.withBytes { bytes in
            if let lastReady, let response = server.ready.find(bytes, at: lastReady) as? HTTP2ReadyResponse,
                response.head.count == bytes.count
            {
                return response.repetition.isCurrent && send(response, on: stream, of: session)
            }
            let view = server.ready.view(of: session.head)
            let found =
                if let view {
                    server.ready.find(view, of: bytes, isFromProxy: connection.isFromProxy, near: &lastReady)
                } else {
                    server.ready.find(bytes, near: &lastReady)
                }
            guard let response = found as? HTTP2ReadyResponse else { return false }
            return send(response, on: stream, of: session, clientID: bytes.extracting(view?.id ?? 0..<0))
        }
    }

    /// Returns false if the time of the response is over. `clientID` is the ID that the client sent, empty if it sent none.
    private func send(
        _ response: HTTP2ReadyResponse, on stream: HTTP2Stream, of session: HTTP2Session, clientID: Span<UInt8> = Span()
    ) -> Bool {
        let began = Deadline.now
        guard began < response.repetition.end else { return false }
        stream.respond(with: response)
        stream.deadline = response.body == nil ? .never : server.delays.write.fromNow
        var made: RequestID?
        if RequestID.isValid(clientID) {
            response.send(clientID: clientID, date: server.date.bytes, on: stream.id, of: session)
        } else {
            let id = RequestID()
            response.send(id, date: server.date.bytes, on: stream.id, of: session)
            made = id
        }
        response.repetition.observe(since: began) { _ in repeatedRequest(of: session, made) }
        return true
    }

    /// Determines the client and the ID as for a request that is not repeated. `made` is the ID that the server has made for it.
    private func repeatedRequest(of session: HTTP2Session, _ made: RequestID?) -> RepeatedRequest {
        if made == nil || connection.isFromProxy {
            do throws(RequestError) {
                let head = try session.head.makeHead(hasBody: false)
                return RepeatedRequest(client: server.service.proxies.client(of: head, from: connection.peer), id: made ?? RequestID(head))
            } catch {
                // The head of the stored response was accepted, and this one has the same declared fields.
            }
        }
        return RepeatedRequest(client: connection.peer, id: made ?? RequestID())
    }

    /// Returns the requests for which the response to this one may become ready. The head of the session must be that of the request.
    func repetition(of head: RequestHead) -> PossibleRepetition? {
        guard head.isShareable, !server.isShuttingDown, let session else { return nil }
        let view = server.ready.view(of: session.head)
        return session.head.withBytes { server.ready.repetition(of: head, $0, view) }
    }

    /// Stores a response for later requests, if the record of its head permits it. The head of the session must still be that of the
    /// request.
    func prepare(_ repetition: PossibleRepetition, of response: Response, to head: RequestHead) {
        guard !server.isShuttingDown, let session else { return }
        session.head.withBytes { bytes in
            let place = server.ready.insert(repetition, of: response, to: head) { view in
                HTTP2ReadyResponse(response, to: head, bytes, view, isFromProxy: connection.isFromProxy, shared: server.fields)
            }
            if let place { lastReady = place }
        }
    }
}
