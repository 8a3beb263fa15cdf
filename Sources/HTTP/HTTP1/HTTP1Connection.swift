internal import EventLoop
internal import HTTPMessages

/// The HTTP/1.1 codec of a connection. It answers one request after another.
final class HTTP1Connection: Codec, @unchecked Sendable {
    // Unchecked: only the loop's thread accesses the properties.
    enum State {
        case head
        case body(RequestHead, BodyReader)
        /// A task responds, or a stream is being written.
        case responding(RequestHead, Task<Void, Never>)
        /// No more input is read.
        case finished
    }

    /// The connection. It is unowned, because a task that runs on after its client left must not keep the socket.
    ///
    /// It is not checked, because each request uses it ten times. It exists at each use: the server retains it until it closes,
    /// each task retains the server, and closing calls `closed`. After that, tasks and uploads find that the state is
    /// `finished`, and use it no more. A caller that may close it keeps it for the rest of its turn.
    @safe unowned(unsafe) let connection: Connection
    let server: ServerLoop
    var state = State.head
    /// The head that is being read; nil between requests. An idle connection needs no memory for it.
    private var started: StartedHead?
    /// The received bytes of requests that are not read yet.
    private var pending = PendingInput()
    private(set) var hasEnded = false
    /// Whether the deadline is for a head that has started.
    var isReadingHead = true
    /// The place of the last ready response.
    var lastReady: Int?
    /// Whether the response may take as long as the client waits.
    var isWaiting = false
    /// The heartbeat of the stream that is being written.
    var heartbeat: Heartbeat?
    var roomWaiter: CheckedContinuation<Void, Never>?
    /// The body that is still arriving while the request is answered.
    var uploading: IncomingBody?
    /// Whether a part of a body was not read.
    var isUploadBroken = false
    /// The deadline of the response to a request with an incoming body.
    var responseDeadline = Deadline.never

    init(_ connection: Connection) {
        self.connection = connection
        server = connection.server
    }

    private var hasStartedHead: Bool { started?.reader.hasStarted ?? false }

    func receive(_ bytes: Span<UInt8>) {
        guard pending.isEmpty else {
            pending.append(bytes)
            return readPending()
        }
        let consumed = read(bytes)
        if consumed < bytes.count { pending.append(bytes.extracting(consumed..<bytes.count)) }
        wait()
    }

    func receiveEnd() {
        hasEnded = true
        switch state {
        case .responding(_, let task):
            breakUpload(RequestError(.badRequest, "the body is incomplete"))
            // A client that left looks like one that closed only its side. Long polls and streams therefore end now with the data
            // that exists, which a client that still reads receives.
            if isWaiting || heartbeat != nil { task.cancel() }
        // Nothing is read while requests are held back, so no end is seen.
        case .head, .body, .finished: connection.finish(lingers: false)
        }
    }

    func timeOut() {
        switch state {
        case .head where hasStartedHead:
            let bytes = pending.bytes
            refuse(
                RequestError(.requestTimeout, "the headers did not arrive in time"),
                isForHead: started?.reader.isForHead(bytes.span.extracting(droppingFirst: pending.start)) ?? false)
        case .body(let head, _): refuse(RequestError(.requestTimeout, "the body did not arrive in time"), head)
        case .responding(let head, _) where heartbeat != nil: beat(isChunked: head.version == .http11)
        case .responding where uploading != nil && responseDeadline > .now:
            breakUpload(RequestError(.requestTimeout, "the body did not arrive in time"))
        case .responding(let head, let task):
            breakUpload(RequestError(.unavailable, "the response took too long"))
            task.cancel()
            refuse(RequestError(.unavailable, "the response took too long"), head)
        case .head, .finished: connection.close()
        }
    }

    func backlogEmptied() {
        roomWaiter?.resume()
        roomWaiter = nil
        if connection.isHeldBack { return readPending() }
        // The time between two requests starts when the client has the first response.
        if case .head = state, !hasStartedHead { connection.deadline = server.delays.idle.fromNow }
    }

    func shutDown() {
        if case .responding(_, let task) = state, heartbeat != nil { task.cancel() }
        if case .head = state, !hasStartedHead, !connection.isHeldBack { connection.finish(lingers: connection.unsentCount > 0) }
    }

    func closed() {
        breakUpload(RequestError(.badRequest, "the client disconnected"))
        if case .responding(_, let task) = state { task.cancel() }
        state = .finished
        connection.isHeldBack = false
        backlogEmptied()
    }

    /// Continues with the input that arrived while a request was answered.
    func readPending() {
        let consumed = readStarted()
        pending.drop(consumed)
        if hasEnded, !connection.isHeldBack, case .head = state { connection.finish(lingers: false) }
        wait()
    }

    /// The number of pending bytes that belong to complete requests.
    private func readStarted() -> Int {
        let bytes = pending.bytes
        return read(bytes.span.extracting(droppingFirst: pending.start))
    }

    /// Ends the connection with a response.
    func refuse(_ error: RequestError, _ head: RequestHead? = nil, isForHead: Bool = false) {
        server.counters.malformedRequests += 1
        HTTP1ResponseWriter(server).write(server.service.refuse(error, head), to: head, isForHead: isForHead, keepsAlive: false)
        finish()
    }

    func finish() {
        state = .finished
        connection.finish(lingers: true)
    }

    /// Answers all complete requests, and returns the number of their bytes.
    private func read(_ bytes: Span<UInt8>) -> Int {
        var position = 0
        connection.isHeldBack = false
        while position < bytes.count {
            switch state {
            case .head:
                guard room > 0 else {
                    // The requests wait in `pending`.
                    connection.isHeldBack = true
                    return position
                }
                let rest = bytes.extracting(position..<bytes.count)
                guard let count = repeatLastResponse(to: rest) ?? respondToFirst(of: rest) else { return position }
                position += count
            case .body(let head, let body):
                do throws(RequestError) {
                    position += try body.read(bytes.extracting(position..<bytes.count))
                    if body.isComplete { respond(to: head, body) }
                } catch {
                    refuse(error, head)
                    return bytes.count
                }
            case .responding:
                guard uploading != nil else { return position }
                position += receiveUpload(bytes.extracting(position..<bytes.count))
            case .finished: return bytes.count
            }
        }
        return position
    }

    /// Responds to the first request. Returns the number of bytes that are read, or nil if its head is incomplete.
    ///
    /// Not inlined, because the large values of this path would be prepared for each repeated request.
    @inline(never) private func respondToFirst(of bytes: Span<UInt8>) -> Int? {
        var view: RequestHeadView?
        if isBeforeHead, let count = repeatResponse(to: bytes, &view) { return count }
        let started = started ?? StartedHead(server.limits.head)
        switch started.reader.read(bytes) {
        case .incomplete:
            self.started = started
            return nil
        case .refused(let failure):
            refuse(failure, isForHead: started.reader.isForHead(bytes))
            return bytes.count
        case .head(let head, let count):
            self.started = nil
            isReadingHead = false
            start(head, bytes.extracting(first: count), view)
            return count
        }
    }

    /// Whether no byte of the next head has been read.
    var isBeforeHead: Bool { started?.reader.isNew ?? true }

    /// The number of bytes that may still be written. Without room, the requests of a client that sends many and accepts no response are
    /// held back.
    var room: Int { server.limits.outputBufferBytes - connection.unsentCount - server.output.count }

    private func start(_ received: RequestHead, _ bytes: Span<UInt8>, _ known: RequestHeadView?) {
        server.counters.requests += 1
        let repetition = repetition(of: received, bytes, known)
        let head = repetition == nil ? received : received.recording()
        switch server.service.admit(head, connection.peer) {
        case .immediate(let response):
            // Reading the body that follows is not worth the time.
            respond(with: response, to: head, endsConnection: head.framing != .none)
        case .stream(let limit): startUpload(head, limit: limit)
        case .body(let limit):
            do throws(RequestError) {
                let overhead = server.limits.head.headerBytes
                guard let body = try BodyReader(head.framing, limit: limit, overhead: overhead, budget: server.bodies) else {
                    return respond(to: head, bytes, repetition)
                }
                if head.expectsContinue { server.output.head.append("HTTP/1.1 100 Continue\r\n\r\n") }
                state = .body(head, body)
                connection.deadline = server.delays.body.fromNow
            } catch {
                refuse(error, head)
            }
        }
    }

    /// Responds to a request without a body, whose head has these bytes.
    private func respond(to head: RequestHead, _ bytes: Span<UInt8>, _ repetition: PossibleRepetition?) {
        let deadline = server.delays.request.fromNow
        let request = Request(head: head, body: [], peer: connection.peer, deadline: deadline, server: server)
        let result = server.service.respond(request)
        if let repetition, case .now(let response) = result { prepare(repetition, of: response, to: head, bytes) }
        send(result, to: head, until: deadline)
    }

    func respond(to head: RequestHead, _ body: BodyReader? = nil, _ upload: Upload? = nil) {
        let deadline = server.delays.request.fromNow
        let request = Request(
            head: head, body: body?.bytes ?? [], lease: body?.lease, upload: upload, peer: connection.peer, deadline: deadline,
            server: server)
        send(server.service.respond(request), to: head, until: deadline)
    }

    private func send(_ result: HandlerResult, to head: RequestHead, until deadline: Deadline) {
        switch result {
        case .now(let response): respond(with: response, to: head)
        case .later(let own, let work): startResponse(head, until: own ?? deadline, by: work)
        case .waiting(let deadline, let work): startResponse(head, until: deadline, isWaiting: true, by: work)
        }
    }

    /// Sets the deadline for the event that the connection waits for.
    func wait() {
        switch state {
        case .head:
            if !hasStartedHead {
                connection.deadline = server.delays.idle.fromNow
            } else if !isReadingHead {
                connection.deadline = server.delays.headers.fromNow
            }
            isReadingHead = hasStartedHead
            connection.setWantsInput(!hasEnded && !connection.isHeldBack)
        case .body: connection.setWantsInput(true)
        case .responding(_, let task):
            if let uploading {
                connection.setWantsInput(!hasEnded && !uploading.isHeldBack && uploading.upload.hasRoom)
            } else {
                let hasRoom = pending.count < server.limits.head.headerBytes
                // Unread input hides the end of the connection. A client that sends so much does not wait for this response.
                if !hasRoom, !isUploadBroken, isWaiting || heartbeat != nil { task.cancel() }
                connection.setWantsInput(!hasEnded && hasRoom)
            }
        case .finished: break
        }
    }
}

private final class StartedHead {
    var reader: HTTP1HeadReader

    init(_ limits: HTTP1Limits) { reader = HTTP1HeadReader(limits) }
}
