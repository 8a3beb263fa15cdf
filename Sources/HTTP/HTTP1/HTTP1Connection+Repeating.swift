internal import EventLoop
internal import HTTPMessages

extension HTTP1Connection {
    /// Sends a ready response to the request at the start of the bytes, as the handler would respond to it. Returns the number
    /// of its bytes, or nil if there is no such response. The connection must wait for a head.
    func repeatResponse(to bytes: Span<UInt8>) -> Int? {
        // Each response of a shutdown ends its connection.
        guard !server.isShuttingDown, !isUploadBroken, let (response, place) = server.ready.find(bytes, likely: lastReady) else {
            return nil
        }
        let request = RepeatedRequest(peer: connection.peer, id: RequestID(), began: .now)
        guard request.began < response.repetition.end else { return nil }
        lastReady = place
        server.counters.requests += 1
        response.write(request.id, by: server)
        response.repetition.observe(request)
        return response.head.count
    }

    /// Stores a response for later requests with the same bytes, if it may be repeated and its request has come before.
    func prepareRepetition(of response: Response, to head: RequestHead, _ bytes: Span<UInt8>) {
        guard response.repetition != nil, !server.isShuttingDown, server.ready.isRepeated(bytes),
            let ready = ReadyResponse(response, to: head, bytes)
        else { return }
        lastReady = server.ready.insert(ready)
    }
}
