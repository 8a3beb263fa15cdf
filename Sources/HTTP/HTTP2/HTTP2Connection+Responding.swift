internal import EventLoop
internal import HTTPMessages

extension HTTP2Connection {
    func completeHead(_ id: Int32, hasBody: Bool) {
        guard let stream = openStream(id) else { return }
        server.counters.requests += 1
        if !hasBody, repeatResponse(on: stream) { return }
        guard let session else { return }
        stream.hasEnded = !hasBody
        stream.isForHead = session.head.isForHead
        do throws(RequestError) {
            let head = try session.head.makeHead(hasBody: hasBody)
            stream.head = head
            switch server.service.admit(head, connection.peer) {
            case .immediate(let response): respond(stream, with: response, isHead: head.method == .head)
            case .stream(let limit): try startUpload(stream, head, limit: limit)
            case .body(let limit):
                let overhead = server.limits.head.headerBytes
                guard let body = try BodyReader(head.framing, limit: limit, overhead: overhead, budget: server.bodies) else {
                    return respond(stream, to: head)
                }
                stream.body = body
                stream.deadline = server.delays.body.fromNow
            }
        } catch {
            refuse(stream, error)
        }
    }

    func completeBody(_ id: Int32) {
        guard let stream = openStream(id) else { return }
        stream.hasEnded = true
        if stream.uploading != nil { return endUpload(of: stream) }
        guard let body = stream.body, let head = stream.head else { return }
        stream.body = nil
        respond(stream, to: head, body)
    }

    func refuse(_ stream: HTTP2Stream, _ error: RequestError) {
        server.counters.malformedRequests += 1
        respond(stream, with: server.service.refuse(error, stream.head), isHead: stream.isForHead)
    }

    func expire(_ stream: HTTP2Stream) {
        if let heartbeat = stream.heartbeat, stream.outputCount == 0 { return send(heartbeat.bytes, on: stream) }
        if stream.uploading != nil, !stream.hasResponse, stream.responseDeadline > .now {
            return breakUpload(of: stream, RequestError(.requestTimeout, "the body did not arrive in time"))
        }
        stream.deadline = .never
        stream.task?.cancel()
        if stream.hasResponse {
            let isWhole = stream.isOutputComplete && stream.outputCount == 0
            session?.reset(stream.id, isServerFault: !isWhole)
            return
        }
        let isWaitingForBody = stream.body != nil
        stream.body = nil
        refuse(
            stream,
            isWaitingForBody
                ? RequestError(.requestTimeout, "the body did not arrive in time")
                : RequestError(.unavailable, "the response took too long"))
    }

    /// Lets the client finish its request after the response is complete, for a limited time. If the stream were reset
    /// immediately, some clients would lose the response.
    func dismiss(_ stream: HTTP2Stream) {
        stream.deadline = stream.hasEnded ? .never : server.delays.linger.fromNow
    }

    func respond(_ stream: HTTP2Stream, to received: RequestHead, _ body: BodyReader? = nil, _ upload: Upload? = nil) {
        let repetition = upload == nil ? repetition(of: received) : nil
        let head = repetition == nil ? received : received.recording()
        let deadline = server.delays.request.fromNow
        let request = Request(
            head: head, body: body?.bytes ?? [], lease: body?.lease, upload: upload, peer: connection.peer, deadline: deadline,
            server: server)
        switch server.service.respond(request) {
        case .now(let response):
            if let repetition { prepare(repetition, of: response, to: head) }
            respond(stream, with: response, isHead: head.method == .head)
        case .later(let own, let work): startResponse(stream, isHead: head.method == .head, until: own ?? deadline, by: work)
        case .waiting(let deadline, let work):
            startResponse(stream, isHead: head.method == .head, until: deadline, isWaiting: true, by: work)
        }
    }

    private func respond(_ stream: HTTP2Stream, with response: Response, isHead: Bool) {
        guard !stream.hasResponse else { return }
        do throws(RequestError) {
            try server.checkRoom(for: response)
        } catch {
            return respond(stream, with: server.service.refuse(error, stream.head), isHead: isHead)
        }
        stream.hasResponse = true
        breakUpload(of: stream, RequestError(.badRequest, "the server responded before the end of the body"))
        let block = HeaderBlock(of: response, date: server.date.bytes, shared: server.fields)
        let hasBody = !isHead && !response.status.hasNoBody
        switch response.body {
        case .stored(let bytes) where hasBody:
            stream.append(bytes)
            stream.deadline = server.delays.write.fromNow
            session?.respond(stream.id, block, hasBody: true)
        case .stream(let heartbeat, let write) where hasBody:
            stream.isOutputComplete = false
            stream.heartbeat = heartbeat
            stream.deadline = heartbeat?.next ?? .never
            session?.respond(stream.id, block, hasBody: true)
            self.stream(stream, write)
        default:
            session?.respond(stream.id, block, hasBody: false)
            dismiss(stream)
        }
    }

    private func startResponse(
        _ stream: HTTP2Stream, isHead: Bool, until deadline: Deadline, isWaiting: Bool = false,
        by work: @escaping @Sendable (EventLoop) async -> Response
    ) {
        guard isWaiting || server.inFlight < server.limits.requestsInFlight else {
            server.counters.rejectedRequests += 1
            let error = RequestError(.unavailable, "the server is handling too many requests")
            return respond(stream, with: server.service.refuse(error, stream.head), isHead: isHead)
        }
        if !isWaiting { server.inFlight += 1 }
        let loop = server.loop
        stream.responseDeadline = deadline.advanced(by: ServerLimits.finalResponseTimeout)
        stream.deadline = stream.responseDeadline
        waitForMore(on: stream)
        stream.task = server.run { [self, id = stream.id] in
            let response = await work(loop)
            if !isWaiting { server.inFlight -= 1 }
            guard let stream = openStream(id) else { return }
            turn { respond(stream, with: response, isHead: isHead) }
        }
    }

    private func stream(_ stream: HTTP2Stream, _ write: @escaping @Sendable (BodyWriter) async throws -> Void) {
        server.openStreams += 1
        stream.task = server.run { [self, id = stream.id] in
            let writer = BodyWriter { bytes throws(CancellationError) in try await self.send(bytes, on: id) }
            defer { server.openStreams -= 1 }
            do {
                try await write(writer)
                guard let stream = openStream(id) else { return }
                stream.heartbeat = nil
                stream.isOutputComplete = true
                turn { session?.resume(id) }
            } catch {
                // A stream that failed must not look complete.
                if openStream(id) != nil { turn { session?.reset(id) } }
            }
        }
        if stream.heartbeat != nil, server.isShuttingDown { stream.task?.cancel() }
    }

    private func send(_ bytes: [UInt8], on id: Int32) async throws(CancellationError) {
        guard let stream = openStream(id), !Task.isCancelled else { throw CancellationError() }
        guard !bytes.isEmpty else { return }
        turn { send(SharedBytes(bytes), on: stream) }
        if stream.outputCount > server.limits.outputBufferBytes { await withCheckedContinuation { stream.roomWaiter = $0 } }
        guard openStream(id) != nil, !Task.isCancelled else { throw CancellationError() }
    }

    private func send(_ bytes: SharedBytes, on stream: HTTP2Stream) {
        if stream.outputCount == 0 { stream.deadline = server.delays.write.fromNow }
        stream.append(bytes)
        session?.resume(stream.id)
    }

    /// Runs a body that may produce output, and sends the output.
    func turn(_ body: () -> Void) {
        withExtendedLifetime(connection) {
            connection.turn { _ in
                body()
                pump()
            }
        }
    }
}
