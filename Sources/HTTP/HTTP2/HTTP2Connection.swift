internal import EventLoop
internal import HTTPMessages

/// An HTTP/2 connection. It serves many requests at the same time, each on its own stream.
final class HTTP2Connection: Codec, @unchecked Sendable {
    // Unchecked: all state is accessed only on the thread of the loop.
    /// The connection. It is unowned, because a task that runs on after its client left must not keep the socket.
    ///
    /// It is not checked, because each request uses it ten times. It exists at each use: the server retains it until it closes,
    /// each task retains the server, and closing calls `closed`. After that, tasks and uploads find no stream, and use it no
    /// more. A caller that may close it keeps it for the rest of its turn.
    @safe unowned(unsafe) let connection: Connection
    let server: ServerLoop
    private var streams = HTTP2Streams()
    let session: HTTP2Session?
    /// The place of the last ready response.
    var lastReady: Int?
    private var isLeaving = false
    /// Whether the client exceeded a limit. The connection then closes without reading the rest of its input.
    private var hasGoneTooFar = false

    init(_ connection: Connection) {
        self.connection = connection
        server = connection.server
        session = HTTP2Session(server.limits)
        session?.receiver = self
    }

    /// Returns the open stream with an ID.
    func openStream(_ id: Int32) -> HTTP2Stream? { session?.stream(id) }

    func receive(_ bytes: Span<UInt8>) {
        guard let session else { return connection.finish(lingers: false) }
        var rest = bytes
        while !rest.isEmpty {
            guard session.receive(rest.extracting(first: Self.pieceBytes)) else {
                isLeaving = true
                hasGoneTooFar = true
                return pump()
            }
            pump()
            rest = rest.extracting(droppingFirst: Self.pieceBytes)
        }
    }

    /// The number of bytes that nghttp2 receives at a time. It ignores a client that exceeds a limit only after it has
    /// sent the error, so one piece must not contain thousands of requests.
    private static let pieceBytes = 4_096

    /// Closes the connection without further responses: an HTTP/2 client keeps its side open while it waits for them.
    func receiveEnd() { connection.finish(lingers: false) }

    func timeOut() {
        let now = Deadline.now
        let late = streams.open.filter { $0.deadline <= now }
        // No response can be sent on a stream whose head is incomplete.
        guard !late.isEmpty, late.allSatisfy({ $0.head != nil || $0.hasResponse }) else {
            leave()
            return connection.finish(lingers: false)
        }
        for stream in late { expire(stream) }
        pump()
    }

    func backlogEmptied() {
        guard !connection.isHeldBack else { return pump() }
        connection.deadline = nextDeadline
    }

    func shutDown() { leave() }

    func closed() {
        // From now on, no stream is found.
        session?.receiver = nil
        for stream in streams.open { stream.close() }
        streams.removeAll()
    }

    /// Moves output of the session into the output buffer while there is room.
    func pump() {
        guard let session else { return }
        while hasRoom, session.nextOutput({ bytes in bytes.append(to: &server.output.head) }) {}
        connection.isHeldBack = !hasRoom
        // A client that has received an error, or has yet to read a response, may still be sending. If the connection
        // closed, a TCP reset could discard that output.
        if session.isOver || isLeaving && streams.isEmpty { connection.finish(lingers: !hasGoneTooFar) }
        connection.deadline = nextDeadline
    }

    private var hasRoom: Bool { connection.unsentCount + server.output.count < server.limits.outputBufferBytes }

    private func leave() {
        guard !isLeaving else { return }
        isLeaving = true
        for stream in streams.open where stream.heartbeat != nil { stream.task?.cancel() }
        session?.goAway()
        if streams.isEmpty { connection.finish(lingers: connection.unsentCount > 0) }
        pump()
    }

    /// The earliest deadline of all streams: input on one stream does not extend the deadline of another.
    private var nextDeadline: Deadline {
        guard !streams.isEmpty else { return server.delays.idle.fromNow }
        return streams.open.reduce(.never) { min($0, $1.deadline) }
    }
}

extension HTTP2Connection: HTTP2SessionDelegate {
    func startHead(_ id: Int32) {
        let stream = streams.add(id)
        stream.deadline = server.delays.headers.fromNow
        session?.attach(stream)
    }

    func addData(_ id: Int32, _ bytes: Span<UInt8>) -> Bool {
        guard let stream = openStream(id) else { return true }
        if stream.uploading != nil { return receiveUpload(of: stream, bytes) }
        guard let body = stream.body else { return true }
        do throws(RequestError) {
            _ = try body.read(bytes)
        } catch {
            stream.body = nil
            refuse(stream, error)
        }
        return true
    }

    func close(_ id: Int32) {
        guard let stream = openStream(id) else { return }
        stream.close()
        streams.remove(stream)
    }

    func available(_ id: Int32, _ limit: Int) -> (count: Int, isLast: Bool)? {
        guard let stream = openStream(id) else { return (0, true) }
        let count = stream.available(limit)
        let isLast = stream.isOutputComplete && count == stream.outputCount
        return count > 0 || isLast ? (count, isLast) : nil
    }

    func sendData(_ id: Int32, _ header: Span<UInt8>, _ count: Int) -> Bool {
        guard hasRoom else { return false }
        header.append(to: &server.output.head)
        guard let stream = openStream(id) else { return true }
        if count > 0, let next = stream.consume(count) { server.output.append(next.bytes, next.range) }
        stream.deadline = stream.outputCount > 0 ? server.delays.write.fromNow : stream.heartbeat?.next ?? .never
        if stream.isOutputComplete, stream.outputCount == 0 { dismiss(stream) }
        if let waiter = stream.roomWaiter, stream.outputCount < server.limits.outputBufferBytes {
            stream.roomWaiter = nil
            waiter.resume()
        }
        return true
    }
}

extension HTTP2Connection {
    /// Starts to respond to a request whose body is still arriving. The window of the stream limits the bytes that are
    /// not yet consumed.
    func startUpload(_ stream: HTTP2Stream, _ head: RequestHead, limit: Int) throws(RequestError) {
        let overhead = server.limits.head.headerBytes
        guard let reader = try BodyReader(head.framing, limit: limit, overhead: overhead, budget: server.bodies) else {
            return respond(stream, to: head, nil, Upload(of: []))
        }
        // A client that waits for 100 Continue starts after a short time anyway, because the window of its stream is
        // open.
        let upload = Upload(
            reader.lease,
            consumed: { [loop = server.loop, id = stream.id, weak self] count in
                do throws(EventLoopError) {
                    try loop.submit(named: "http: resume a body") { [weak self] in self?.resume(id, count) }
                } catch {
                    // A stopped loop has closed the connection.
                }
            })
        stream.uploading = IncomingBody(reader, upload, timeout: server.limits.body)
        respond(stream, to: head, nil, upload)
    }

    /// Returns false if the bytes are not yet consumed.
    func receiveUpload(of stream: HTTP2Stream, _ bytes: Span<UInt8>) -> Bool {
        guard let uploading = stream.uploading else { return true }
        do throws(RequestError) {
            _ = try uploading.reader.read(bytes)
            uploading.timeout.stop(with: bytes.count)
            uploading.upload.add(uploading.reader.forward())
            // Bytes that are not consumed count against the window, and the client may have to wait for it.
            stream.deadline = stream.responseDeadline
            return false
        } catch {
            breakUpload(of: stream, error)
            return true
        }
    }

    func endUpload(of stream: HTTP2Stream) {
        stream.uploading?.upload.end()
        stream.uploading = nil
        if !stream.hasResponse { stream.deadline = stream.responseDeadline }
    }

    /// Ends the upload with an error for its consumer. Further input of the client is ignored.
    func breakUpload(of stream: HTTP2Stream, _ error: RequestError) {
        guard let upload = stream.uploading?.upload else { return }
        stream.uploading = nil
        if !stream.hasResponse { stream.deadline = stream.responseDeadline }
        upload.fail(error)
    }

    /// Limits the time for the next bytes, but only while the upload is empty. Otherwise the client may be waiting for
    /// the consumer.
    func waitForMore(on stream: HTTP2Stream) {
        guard let uploading = stream.uploading else { return }
        stream.deadline = uploading.upload.isEmpty ? min(stream.responseDeadline, uploading.timeout.wait()) : stream.responseDeadline
    }

    private func resume(_ id: Int32, _ count: Int) {
        guard let stream = openStream(id) else { return }
        session?.consume(count, of: id)
        waitForMore(on: stream)
        turn {}
    }
}
