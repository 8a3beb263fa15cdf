internal import EventLoop
internal import HTTPMessages

extension HTTP2Connection {
    /// Sends a ready response to the request on a stream, whose head is complete and which has no body, as the handler would respond
    /// to it. Returns false if there is no such response.
    func repeatResponse(on stream: HTTP2Stream) -> Bool {
        // A refused head has only a part of the fields.
        guard let session, session.head.error == nil, !server.isShuttingDown,
            let response = session.head.withBytes({ server.ready.find($0, near: &lastReady) }) as? HTTP2ReadyResponse
        else { return false }
        return send(response, on: stream, of: session)
    }

    /// Returns false if the time of the response is over.
    private func send(_ response: HTTP2ReadyResponse, on stream: HTTP2Stream, of session: HTTP2Session) -> Bool {
        let began = Deadline.now
        guard began < response.repetition.end else { return false }
        let id = RequestID()
        stream.respond(with: response)
        stream.deadline = response.body == nil ? .never : server.delays.write.fromNow
        response.send(id, date: server.date.bytes, on: stream.id, of: session)
        response.repetition.observe(since: began) { _ in RepeatedRequest(client: connection.peer, id: id) }
        return true
    }

    /// Returns whether the response to a request may become ready, because the same request has come before. The head of the session
    /// must be that of the request.
    func isRepeated(_ head: RequestHead) -> Bool {
        guard head.isRepeatable, !server.isShuttingDown, let session else { return false }
        return session.head.withBytes { server.ready.isRepeated($0) }
    }

    /// Stores a response for later requests with the same fields, if it may be repeated. The head of the session must still be that
    /// of the request, whose own head records whether the response depends on the client.
    func prepareRepetition(of response: Response, to head: RequestHead) {
        guard response.repetition != nil, !server.isShuttingDown, let session else { return }
        session.head.withBytes { bytes in
            guard let ready = HTTP2ReadyResponse(response, to: head, bytes, shared: server.fields) else { return }
            lastReady = server.ready.insert(ready)
        }
    }
}
