internal import EventLoop
internal import HTTPMessages

extension HTTP1Connection {
    func respond(with response: Response, to head: RequestHead, endsConnection: Bool = false) {
        do throws(RequestError) {
            try server.checkRoom(for: response)
        } catch {
            return respond(with: server.service.refuse(error, head), to: head, endsConnection: endsConnection)
        }
        // Reading the rest of an unwanted body is not worth the time.
        let keepsAlive = head.keepsAlive && !endsConnection && !isUploadBroken && uploading == nil && !server.isShuttingDown
        breakUpload(RequestError(.badRequest, "the server responded before the end of the body"))
        guard case .stream(let heartbeat, let write) = response.body, head.method != .head, !response.status.hasNoBody else {
            HTTP1ResponseWriter(server).write(response, to: head, keepsAlive: keepsAlive)
            if keepsAlive { state = .head } else { finish() }
            return
        }
        // In HTTP/1.0, the end of the connection is the end of a stream.
        let isChunked = head.version == .http11
        HTTP1ResponseWriter(server).write(response, to: head, keepsAlive: keepsAlive && isChunked)
        self.heartbeat = heartbeat
        stream(head, isChunked: isChunked, keepsAlive: keepsAlive && isChunked, write)
    }

    /// Starts a task that responds, unless too many are running.
    func startResponse(
        _ head: RequestHead, until deadline: Deadline, isWaiting: Bool = false, by work: @escaping @Sendable (EventLoop) async -> Response
    ) {
        guard isWaiting || server.inFlight < server.limits.requestsInFlight else {
            server.counters.rejectedRequests += 1
            return respond(
                with: server.service.refuse(RequestError(.unavailable, "the server is handling too many requests"), head),
                to: head)
        }
        if !isWaiting { server.inFlight += 1 }
        self.isWaiting = isWaiting
        let loop = server.loop
        responseDeadline = deadline.advanced(by: ServerLimits.finalResponseTimeout)
        connection.deadline = responseDeadline
        waitForMore()
        let task = server.run { [self] in
            let response = await work(loop)
            if !isWaiting { server.inFlight -= 1 }
            end { [self] in respond(with: response, to: head) }
        }
        state = .responding(head, task)
        if isWaiting, hasEnded { task.cancel() }
    }

    private func stream(
        _ head: RequestHead, isChunked: Bool, keepsAlive: Bool, _ write: @escaping @Sendable (BodyWriter) async throws -> Void
    ) {
        connection.deadline = heartbeat?.next ?? .never
        server.openStreams += 1
        let task = server.run { [self] in
            let writer = BodyWriter { bytes throws(CancellationError) in try await self.send(bytes, isChunked: isChunked) }
            let isWhole: Bool
            do {
                try await write(writer)
                isWhole = true
            } catch {
                isWhole = false
            }
            server.openStreams -= 1
            end { [self] in
                // A broken stream must not look complete.
                guard isWhole else { return connection.close() }
                if isChunked { server.output.head.append("0\r\n\r\n") }
                if keepsAlive, !server.isShuttingDown { state = .head } else { finish() }
            }
        }
        state = .responding(head, task)
        if heartbeat != nil, server.isShuttingDown || hasEnded { task.cancel() }
    }

    /// Ends the response of the current task, and continues with the requests that have arrived.
    ///
    /// A canceled task leaves this to another one, because the handlers of those requests would take its cancellation for theirs.
    private func end(_ response: @escaping @Sendable () -> Void) {
        guard case .responding = state else { return }
        guard !Task.isCancelled else {
            _ = server.run { [self] in end(response) }
            return
        }
        isWaiting = false
        heartbeat = nil
        withExtendedLifetime(connection) {
            connection.turn { _ in
                response()
                readPending()
            }
        }
    }

    /// Sends the bytes that keep a silent stream alive.
    func beat(isChunked: Bool) {
        guard let heartbeat else { return }
        append(heartbeat.bytes, isChunked: isChunked)
        connection.deadline = heartbeat.next
    }

    private func append(_ bytes: SharedBytes, isChunked: Bool) {
        if isChunked {
            server.output.head.append(contentsOf: String(bytes.count, radix: 16).utf8)
            server.output.head.append("\r\n")
        }
        server.output.append(bytes)
        if isChunked { server.output.head.append("\r\n") }
    }

    /// Returns when the output has room.
    private func send(_ bytes: [UInt8], isChunked: Bool) async throws(CancellationError) {
        guard case .responding = state, !Task.isCancelled else { throw CancellationError() }
        guard !bytes.isEmpty else { return }
        connection.turn { _ in append(SharedBytes(bytes), isChunked: isChunked) }
        // A write that fails closes and releases the connection.
        guard case .responding = state else { throw CancellationError() }
        if let heartbeat { connection.deadline = heartbeat.next }
        if connection.unsentCount > server.limits.outputBufferBytes {
            await withCheckedContinuation { roomWaiter = $0 }
        }
        guard case .responding = state, !Task.isCancelled else { throw CancellationError() }
    }
}
