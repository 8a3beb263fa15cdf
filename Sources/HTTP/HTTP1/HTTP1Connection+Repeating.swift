internal import EventLoop
internal import HTTPMessages

extension HTTP1Connection {
    /// Sends the last ready response of the connection to the requests at the start of the bytes that have its head. Returns the number of
    /// their bytes, or nil if there is no such request. The connection must wait for a head.
    func repeatLastResponse(to bytes: Span<UInt8>) -> Int? {
        guard let lastReady, mayRepeat, isBeforeHead,
            let response = server.ready.find(bytes, at: lastReady) as? HTTP1ReadyResponse, response.repetition.isCurrent
        else { return nil }
        return sendAll(response, to: bytes)
    }

    /// Sends a ready response to the request at the start of the bytes. Returns the number of its bytes, or nil if there is no such
    /// response. The connection must wait for a head.
    ///
    /// `view` becomes the view of the head, if a response to it may be ready.
    func repeatResponse(to bytes: Span<UInt8>, _ view: inout RequestHeadView?) -> Int? {
        guard mayRepeat else { return nil }
        view = server.ready.view(of: bytes, server.limits.head)
        guard let view,
            let response = server.ready.find(view, of: bytes, isFromProxy: connection.isFromProxy, near: &lastReady) as? HTTP1ReadyResponse,
            send(response, to: bytes, view)
        else { return nil }
        isReadingHead = false
        return view.count
    }

    /// Each response of a shutdown ends its connection.
    private var mayRepeat: Bool { !server.ready.isEmpty && !server.isShuttingDown && !isUploadBroken }

    /// Responds to all requests at the start of the bytes that have the head of the response, as long as the output has room. Such a head
    /// has no ID. Returns the number of their bytes, or nil if the time of the response is over.
    private func sendAll(_ response: HTTP1ReadyResponse, to bytes: Span<UInt8>) -> Int? {
        let began = Deadline.now
        guard began < response.repetition.end else { return nil }
        let size = response.head.count
        let maxCount = (room - 1) / response.byteCount + 1
        var count = 1
        while count < maxCount, response.hasHead(atStartOf: bytes.extracting(droppingFirst: count * size)) { count += 1 }
        let ids = RequestIDs(count: count)
        response.write(ids, to: server.output)
        isReadingHead = false
        server.counters.requests += count
        response.repetition.observe(count, since: began) { repeatedRequest(bytes, ids[$0]) }
        return count * size
    }

    /// Returns false if the time of the response is over.
    private func send(_ response: HTTP1ReadyResponse, to bytes: Span<UInt8>, _ view: RequestHeadView) -> Bool {
        let began = Deadline.now
        guard began < response.repetition.end else { return false }
        server.counters.requests += 1
        var made: RequestID?
        if let given = view.id, RequestID.isValid(bytes.extracting(given)) {
            response.write(clientID: bytes.extracting(given), to: server.output)
        } else {
            let ids = RequestIDs(count: 1)
            response.write(ids, to: server.output)
            made = ids[0]
        }
        response.repetition.observe(since: began) { _ in repeatedRequest(bytes, made) }
        return true
    }

    /// Determines the client and the ID as for a request that is not repeated. `made` is the ID that the server has made for it.
    private func repeatedRequest(_ bytes: Span<UInt8>, _ made: RequestID?) -> RepeatedRequest {
        var reader = HTTP1HeadReader(server.limits.head)
        guard made == nil || connection.isFromProxy, case .head(let head, _) = reader.read(bytes) else {
            return RepeatedRequest(client: connection.peer, id: made ?? RequestID())
        }
        return RepeatedRequest(client: server.service.proxies.client(of: head, from: connection.peer), id: made ?? RequestID(head))
    }

    /// Returns the requests for which the response to this one may become ready.
    func repetition(of head: RequestHead, _ bytes: Span<UInt8>, _ known: RequestHeadView?) -> PossibleRepetition? {
        guard head.isShareable, !server.isShuttingDown else { return nil }
        let view = known ?? server.ready.view(of: bytes, server.limits.head)
        return server.ready.repetition(of: head, bytes, view)
    }

    /// Stores a response for later requests, if the record of its head permits it.
    func prepare(_ repetition: PossibleRepetition, of response: Response, to head: RequestHead, _ bytes: Span<UInt8>) {
        guard !server.isShuttingDown else { return }
        let place = server.ready.insert(repetition, of: response, to: head) { view in
            HTTP1ReadyResponse(response, to: head, bytes, view, isFromProxy: connection.isFromProxy, after: server.opening)
        }
        if let place { lastReady = place }
    }
}
